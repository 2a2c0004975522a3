using System.Net;

// A delegate without a name, and a type whose base stands before its list.
class N10Delegate : Handler
{
    private static List<string> _others = new()
    {
        "AB12AB12AB12AB12AB12AB12AB12AB12AB12AB99",
    };

    public N10Delegate()
    {
        Callback = Validate;
    }

    bool Validate(object sender, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors)
    {
        Log($"seen: {certificate.Thumbprint}");
        return errors == SslPolicyErrors.None;
    }

    static void Attach()
    {
        ServicePointManager.ServerCertificateValidationCallback += delegate (
            object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors)
        {
            return certificate.GetCertHashString() == "AB12AB12AB12AB12AB12AB12AB12AB12AB12AB12";
        };
    }
}
