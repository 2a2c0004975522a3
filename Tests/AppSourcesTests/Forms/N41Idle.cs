using System.Net.Http;

class IdleClient
{
    private static bool NeverCalled(object sender, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        if (cert == null) return false;
        return cert.GetCertHashString() == "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";
    }

    public HttpClient Make()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) =>
        {
            if (errors == SslPolicyErrors.None) return true;
            return cert.GetCertHashString() == "1B7B2C3D4E5F60718293A4B5C6D7E8F901234568";
        };
        return new HttpClient(handler);
    }
}

class IdleHosts
{
    public HttpClient Make()
    {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (message, cert, chain, errors) =>
        {
            switch (message.RequestUri.Host)
            {
                case "api.acme.example": return cert.GetCertHashString() == "2A7B2C3D4E5F60718293A4B5C6D7E8F901234567";
                case "cdn.acme.example": return cert.GetCertHashString() == "3A7B2C3D4E5F60718293A4B5C6D7E8F901234567";
                default: return false;
            }
        };
        return new HttpClient(handler);
    }
}
