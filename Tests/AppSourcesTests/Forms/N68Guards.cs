using System.Net.Http;

/// Callbacks that refuse before they compare, and give the digest a name, each with its twin that does more.
class N68Guards
{
    const string Pin = "AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12";

    void Start(HttpClientHandler named, HttpClientHandler twin)
    {
        named.ServerCertificateCustomValidationCallback = Named;
        twin.ServerCertificateCustomValidationCallback = NamedTwin;
    }

    static bool Named(object sender, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        if (cert == null)
        {
            return false;
        }
        string digest = cert.GetCertHashString();
        return digest == Pin;
    }

    static bool NamedTwin(object sender, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        string other = cert.GetCertHashString();
        other = other.Insert(2, ":");
        return other == Pin;
    }

    void Ordinary(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert == null || errors != SslPolicyErrors.None) return false;
            var own = new X509Certificate2(cert);
            return own.Thumbprint == "3333333333333333333333333333333333333333";
        };
    }

    void OrdinaryTwin(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (errors != SslPolicyErrors.RemoteCertificateNameMismatch) return false;
            return cert.Thumbprint == "4444444444444444444444444444444444444444";
        };
    }

    void Passing(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (errors != SslPolicyErrors.None) return true;
            return cert.Thumbprint == "5555555555555555555555555555555555555555";
        };
    }
}
