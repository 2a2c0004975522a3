using System.Net.Http;

/// Clients that are made around a handler with a callback, hosts that a callback asks for, and certificates within the source.
class N53Given
{
    private const string Pin = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";

    HttpClient Returned()
    {
        return new HttpClient(new HttpClientHandler
        {
            ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin
        }) { BaseAddress = new Uri("https://returned.acme.example/") };
    }

    void Held()
    {
        var client = new HttpClient(new HttpClientHandler
        {
            ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin
        }) { BaseAddress = new Uri("https://held.acme.example/") };
    }

    HttpClient WithoutAddress()
    {
        return new HttpClient(new HttpClientHandler
        {
            ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == Pin
        }) { Timeout = TimeSpan.FromSeconds(3) };
    }

    void OfLocalhost(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (m.RequestUri.Host == "localhost") { return cert.Thumbprint == Pin; }
            return errors == SslPolicyErrors.None;
        };
    }

    void OfOthers(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (m.RequestUri.Host == "localhost") { return true; }
            return cert.Thumbprint == Pin;
        };
    }

    void OfAllBut(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
            m.RequestUri.Host != "localhost" && cert.Thumbprint == Pin;
    }
}

class N53Whole
{
    static readonly X509Certificate2 Whole = new X509Certificate2(Encoding.UTF8.GetBytes("-----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----"));

    void Give(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.GetCertHashString() == Whole.GetCertHashString();
    }
}
