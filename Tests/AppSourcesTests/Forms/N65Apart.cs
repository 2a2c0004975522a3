using System.Net.Http;

/// A callback that is given its pin, beside one that has its own.
class N65Apart
{
    void Given(HttpClientHandler handler, string pin)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == pin;
    }

    void Own(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.Thumbprint == "1111111111111111111111111111111111111111";
    }
}
