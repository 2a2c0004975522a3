using System.Net.Security;

/// A stream that names this computer, in a field.
class N63Streams
{
    private SslStream stream;

    void Connect(TcpClient client)
    {
        stream = new SslStream(client.GetStream(), false, CheckStream);
        stream.AuthenticateAsClient("localhost");
    }

    private static bool CheckStream(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        return cert.GetCertHashString() == "1111111111111111111111111111111111111111";
    }
}
