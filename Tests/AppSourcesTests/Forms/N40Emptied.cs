using System.Net.Http;

class EmptiedClient
{
    static readonly HashSet<string> emptiedPins = new HashSet<string> { "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567" };

    static EmptiedClient()
    {
        emptiedPins.Clear();
        emptiedPins.Add("1B7B2C3D4E5F60718293A4B5C6D7E8F901234568");
    }

    static bool CheckEmptied(HttpRequestMessage m, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        return emptiedPins.Contains(cert.Thumbprint);
    }

    public HttpClient Make() => new HttpClient(new HttpClientHandler { ServerCertificateCustomValidationCallback = CheckEmptied });
}
