class PatternsOfNull
{
    public static bool AnyOfChain(HttpRequestMessage message, X509Certificate2? certificate, X509Chain? chain,
        SslPolicyErrors errors)
    {
        return chain is not null && chain.ChainElements.Any(x =>
            x.Certificate.Thumbprint.Equals("7777777777777777777777777777777777777777", StringComparison.OrdinalIgnoreCase));
    }

    public static bool Typed(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors)
    {
        if (certificate is null) return false;
        return certificate is X509Certificate2 full && full.Thumbprint == "8888888888888888888888888888888888888888";
    }

    public static bool Plain(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) =>
        certificate is not null && certificate.GetCertHashString() == "9999999999999999999999999999999999999999";
}
