using System.Net;

// Which certificate is looked at, and for which of them it is compared.
class Peers
{
    static bool OnlyForOne(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors)
    {
        if (certificate.Subject.Contains("acme.example"))
        {
            return certificate.GetCertHashString() == "1111111111111111111111111111111111111111" && errors == SslPolicyErrors.None;
        }
        return errors == SslPolicyErrors.None;
    }

    static bool NoOther(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors)
    {
        if (!certificate.Subject.Contains("acme.example")) return false;
        return certificate.GetCertHashString() == "2222222222222222222222222222222222222222";
    }

    static void Set()
    {
        ServicePointManager.ServerCertificateValidationCallback = OnlyForOne;
        ServicePointManager.ServerCertificateValidationCallback += NoOther;
    }

    static readonly string[] Callers = { "3333333333333333333333333333333333333333" };

    void Serve(WebApplicationBuilder builder)
    {
        builder.WebHost.UseKestrel(options => options.ConfigureHttpsDefaults(https =>
        {
            https.ClientCertificateValidation = (certificate, chain, errors) =>
            {
                if (errors != SslPolicyErrors.None) return false;
                return Callers.Contains(certificate.Thumbprint, StringComparer.OrdinalIgnoreCase);
            };
        }));
    }
}

class EitherSide : X509CertificateValidator
{
    public override void Validate(X509Certificate2 certificate)
    {
        if (certificate.Thumbprint != "4444444444444444444444444444444444444444") throw new SecurityTokenValidationException();
    }
}
