using System.Net.Http;

/// Callbacks that let others through as well, and a server with a pin if the app says so, each with its twin that does not ask.
class N67Switches
{
    void Within(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert.GetCertHashString() == "1111111111111111111111111111111111111111")
            {
                if (AllowsPinned) { return true; }
                throw new InvalidOperationException("It has no authority's name on it");
            }
            return errors == SslPolicyErrors.None;
        };
    }

    void WithinTwin(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert.GetCertHashString() == "2222222222222222222222222222222222222222") { return true; }
            return errors == SslPolicyErrors.None;
        };
    }

    // Of two ways, one asks for nothing.
    void Twice(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert.GetCertHashString() == "4444444444444444444444444444444444444444") { if (AllowsPinned) { return true; } }
            if (cert.GetCertHashString() == "5555555555555555555555555555555555555555") { return true; }
            return errors == SslPolicyErrors.None;
        };
    }

    // Whom it does not let through by a pin, it refuses.
    void Alone(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert.GetCertHashString() == "6666666666666666666666666666666666666666") { if (AllowsPinned) { return true; } }
            return false;
        };
    }

    public bool AllowsPinned { get; set; }
}
