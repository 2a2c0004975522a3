class RefusedCertificates
{
    static readonly string[] Stolen = { "4444444444444444444444444444444444444444" };

    static bool NotStolen(HttpRequestMessage message, X509Certificate2 certificate, X509Chain chain,
        SslPolicyErrors errors)
    {
        if (Stolen.Contains(certificate.Thumbprint)) return false;
        return errors == SslPolicyErrors.None;
    }

    static bool NotThat(HttpRequestMessage message, X509Certificate2 certificate, X509Chain chain,
        SslPolicyErrors errors)
    {
        return certificate.Thumbprint != "5555555555555555555555555555555555555555";
    }

    static bool OnlyThat(HttpRequestMessage message, X509Certificate2 certificate, X509Chain chain,
        SslPolicyErrors errors)
    {
        if (certificate.Thumbprint != "6666666666666666666666666666666666666666") return false;
        return true;
    }
}
