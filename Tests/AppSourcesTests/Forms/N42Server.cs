using System.Net.Security;

class AcmeListener
{
    public async Task Accept(Stream stream)
    {
        var ssl = new SslStream(stream, false, CheckOfClient);
        await ssl.AuthenticateAsServerAsync(certificate, true, true);
    }

    public static bool CheckOfClient(object sender, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        return cert.GetCertHashString() == "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";
    }
}
