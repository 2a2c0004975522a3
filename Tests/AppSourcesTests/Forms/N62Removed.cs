using System.Net;

/// A callback of the whole program that another function replaces or takes away.
class N62Removed
{
    void Start()
    {
        ServicePointManager.ServerCertificateValidationCallback += new RemoteCertificateValidationCallback(Pinned);
    }

    void End()
    {
        ServicePointManager.ServerCertificateValidationCallback = (s, cert, chain, errors) => true;
    }

    private static bool Pinned(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        return cert.GetCertHashString() == "1111111111111111111111111111111111111111";
    }
}

/// The client's own, which nothing replaces.
class N62Own
{
    void Own(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => cert.GetCertHashString() == "3333333333333333333333333333333333333333";
    }
}
