class GuardedCallbacks
{
    static readonly string[] Wanted = { "1111111111111111111111111111111111111111" };

    static bool Sets(HttpRequestMessage message, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        var isWanted = false;
        if (Wanted.Contains(cert.Thumbprint)) isWanted = true;
        return false || isWanted;
    }

    static bool Turned(HttpRequestMessage message, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        return cert.Thumbprint != "2222222222222222222222222222222222222222" ? false : true;
    }

    void Own()
    {
        var cert = new X509Certificate2("client.pfx", "x");
    }

    static bool Shadows(HttpRequestMessage message, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        Seen(message);
        return cert.Thumbprint == "3333333333333333333333333333333333333333";
    }
}
