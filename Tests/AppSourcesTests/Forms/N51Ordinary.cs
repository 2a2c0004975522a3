using System.Net.Http;

/// Callbacks that compare where the ordinary checks failed, in the ways in which that is said, and such as always compare.
class N51Ordinary
{
    void Either(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
            errors == SslPolicyErrors.None || cert.GetCertHashString() == "1111111111111111111111111111111111111111";
    }

    void Both(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
            errors == SslPolicyErrors.None && cert.GetCertHashString() == "2222222222222222222222222222222222222222";
    }

    void Chosen(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            return errors == SslPolicyErrors.None ? true : "3333333333333333333333333333333333333333" == cert.GetCertHashString();
        };
    }

    void Asked(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (errors == SslPolicyErrors.None || cert.GetCertHashString() == "4444444444444444444444444444444444444444") { return true; }
            return false;
        };
    }

    void AskedNext(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (errors == SslPolicyErrors.None) { return true; }
            else if (cert.GetCertHashString() == "5555555555555555555555555555555555555555") { return true; }
            return false;
        };
    }
}

/// The same by a function of their own.
class N51Called
{
    void Give(HttpClientHandler handler) { handler.ServerCertificateCustomValidationCallback = Check; }

    private static bool Check(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        if (errors == SslPolicyErrors.None) return true;
        return Matches(cert);
    }

    private static bool Matches(X509Certificate cert) => cert.GetCertHashString() == "6666666666666666666666666666666666666666";
}

class N51CalledTwice
{
    void Give(HttpClientHandler handler) { handler.ServerCertificateCustomValidationCallback = CheckTwice; }

    private static bool CheckTwice(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        if (errors == SslPolicyErrors.None) return MatchesTwice(cert);
        return MatchesTwice(cert) && chain.ChainElements.Count == 1;
    }

    private static bool MatchesTwice(X509Certificate cert) => cert.GetCertHashString() == "7777777777777777777777777777777777777777";
}
