using System.Net.Http;

/// A function with the name of the property that it is given to, and functions within functions.
class N52Named
{
    void Setup()
    {
#if DEBUG
        ServicePointManager.ServerCertificateValidationCallback += (a, b, c, d) => true;
#else
        ServicePointManager.ServerCertificateValidationCallback += ServerCertificateValidationCallback;
#endif
    }

    private static bool ServerCertificateValidationCallback(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        return cert.GetCertHashString() == "1111111111111111111111111111111111111111";
    }
}

class N52Behind
{
    HttpClientHandler Make(bool isLive)
    {
        var handler = new HttpClientHandler();
        if (isLive) { handler.ServerCertificateCustomValidationCallback = Behind; }
        return handler;

        static bool Behind(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
        {
            return IsPinned(cert);

            static bool IsPinned(X509Certificate cert) => cert.GetCertHashString() == "2222222222222222222222222222222222222222";
        }
    }
}
