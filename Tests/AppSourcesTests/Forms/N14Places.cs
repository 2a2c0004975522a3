class PlacesOfCallbacks
{
    public PlacesOfCallbacks(bool isDevelopment)
    {
        if (!isDevelopment) handler.ServerCertificateCustomValidationCallback = OnlyInProduction;
#if !DEBUG
        strict.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
            certificate.GetCertHashString() == "1111111111111111111111111111111111111111";
#endif
        if (Settings.Strict)
        {
            other.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
            {
                Seen(certificate);
                return certificate.Thumbprint == "2222222222222222222222222222222222222222";
            };
        }
    }

    private static bool OnlyInProduction(HttpRequestMessage message, X509Certificate2 certificate, X509Chain chain,
        SslPolicyErrors errors)
    {
        return certificate.GetCertHashString() == "3333333333333333333333333333333333333333";
    }
}
