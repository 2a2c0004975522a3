using System.Net.Http;

/// Callbacks that give their answer to a variable first.
class N66Given
{
    void Debug(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            bool isValid = false;
            if (App.AcceptsAny) { isValid = true; } else { isValid = cert.GetCertHashString() == "1111111111111111111111111111111111111111"; }
            Log($"{isValid}: {cert.GetCertHashString()}");
            return isValid;
        };
    }

    void Twin(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            bool isValid = true;
            if (App.AcceptsAny) { isValid = true; }
            isValid = cert.GetCertHashString() == "2222222222222222222222222222222222222222";
            return isValid;
        };
    }

    void Else(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            var isTrusted = errors == SslPolicyErrors.None;
            if (!isTrusted) { isTrusted = cert.GetCertHashString() == "3333333333333333333333333333333333333333"; }
            return isTrusted;
        };
    }

    void OfHost(HttpClientHandler handler)
    {
        handler.ServerCertificateCustomValidationCallback = (m, cert, chain, errors) =>
        {
            var isTrusted = errors == SslPolicyErrors.None;
            if (m.RequestUri.Host == "api.acme.example") { isTrusted = cert.GetCertHashString() == "4444444444444444444444444444444444444444"; }
            return isTrusted;
        };
    }
}
