using System.Net.Http;

/// Hosts for which a callback compares nothing, and the ones for which it does.
class N61Passed
{
    void Exempt(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (m.RequestUri.Host == "test.acme.example") { return true; }
            return cert.GetCertHashString() == "1111111111111111111111111111111111111111";
        };
    }

    void Alone(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (m.RequestUri.Host != "api.acme.example") { return true; }
            return cert.GetCertHashString() == "2222222222222222222222222222222222222222";
        };
    }

    void Cases(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            switch (m.RequestUri.Host)
            {
                case "test.acme.example": return true;
                case "www.acme.example": return cert.GetCertHashString() == "3333333333333333333333333333333333333333";
            }
            return false;
        };
    }

    void Values(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => m.RequestUri.Host switch
        {
            "test.acme.example" => true,
            _ => cert.GetCertHashString() == "4444444444444444444444444444444444444444",
        };
    }
}

/// A callback that asks functions of its own, of which one lets all through.
class N61Helpers
{
    void Give(HttpClientHandler handler) { handler.ServerCertificateCustomValidationCallback = Check; }

    private static bool Check(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        if (Program.IsLab) { return true; }
        return Matches(cert);
    }

    private static bool Matches(X509Certificate cert)
    {
        if (Program.TrustsAll) { return true; }
        foreach (var pin in Pins) { if (cert.GetCertHashString() == pin) { return true; } }
        return false;
    }

    private static readonly string[] Pins = { "5555555555555555555555555555555555555555" };
}

/// What is refused is none that is let through.
class N61Refusing
{
    void Give(HttpClientHandler handler) { handler.ServerCertificateCustomValidationCallback = CheckNot; }

    private static bool CheckNot(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors)
    {
        if (Differs(cert)) { return false; }
        return true;
    }

    private static bool Differs(X509Certificate cert)
    {
        if (Program.IsClosed) { return true; }
        return !(cert.GetCertHashString() == "6666666666666666666666666666666666666666");
    }
}

/// Only roots that the system does not trust are compared.
class N61Statuses
{
    void Give(HttpClientHandler handler) { handler.ServerCertificateCustomValidationCallback = CheckChain; }

    private static bool CheckChain(object s, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        foreach (var element in chain.ChainElements)
        {
            foreach (var status in element.ChainElementStatus)
            {
                if (element.Certificate.Thumbprint == "7777777777777777777777777777777777777777") { continue; }
                return false;
            }
        }
        return true;
    }
}
