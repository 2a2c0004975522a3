using System.Net.Http;

/// Callbacks that let a server through on another way than by its certificate, each with its twin that does not.
class N60Passing
{
    private readonly Mode mode;

    bool Arm(HttpRequestMessage m, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        switch (mode)
        {
            case Mode.Off: return true;
            case Mode.Pinned: return cert.GetCertHashString() == "1111111111111111111111111111111111111111";
            default: return false;
        }
    }

    bool ArmTwin(HttpRequestMessage m, X509Certificate2 cert, X509Chain chain, SslPolicyErrors errors)
    {
        switch (mode)
        {
            case Mode.Off: return false;
            case Mode.Pinned: return cert.GetCertHashString() == "2222222222222222222222222222222222222222";
            default: return false;
        }
    }

    void Arms(HttpClientHandler handler, HttpClientHandler other)
    {
        handler.ServerCertificateCustomValidationCallback = Arm;
        other.ServerCertificateCustomValidationCallback = ArmTwin;
    }

    void Value(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) => mode switch
        {
            Mode.Off => true,
            _ => cert.GetCertHashString() == "3333333333333333333333333333333333333333",
        };
    }

    void Flag(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (Settings.AllowsAny) { return true; }
            return cert.GetCertHashString() == "4444444444444444444444444444444444444444";
        };
    }

    void FlagTwin(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (Settings.AllowsAny) { return false; }
            return cert.GetCertHashString() == "5555555555555555555555555555555555555555";
        };
    }

    void Answered(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert.GetCertHashString() == "6666666666666666666666666666666666666666") { return true; }
            return errors == SslPolicyErrors.None;
        };
    }

    void AnsweredTwin(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (cert.GetCertHashString() != "7777777777777777777777777777777777777777") { return false; }
            return errors == SslPolicyErrors.None;
        };
    }

    void Strict(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            if (Settings.Refuses && cert.GetCertHashString() != "8888888888888888888888888888888888888888") { return false; }
            return true;
        };
    }

    void Kept(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            var isPinned = false;
            var digest = cert.GetCertHashString();
            if (digest == "9999999999999999999999999999999999999999") { isPinned = true; }
            if (isPinned) { return true; }
            return false;
        };
    }
}
