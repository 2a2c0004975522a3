// Validators of a back channel: key identifiers, digests of certificates, digests of keys.
class N8Validators
{
    static readonly string[] Spare = { "CD34CD34CD34CD34CD34CD34CD34CD34CD34CD34" };

    AuthenticationOptions Options() => new AuthenticationOptions
    {
        BackchannelCertificateValidator = new Owin.Security.CertificateSubjectKeyIdentifierValidator(new[]
        {
            "AB12AB12AB12AB12AB12AB12AB12AB12AB12AB12", // the authority of today
            "ef56ef56ef56ef56ef56ef56ef56ef56ef56ef56"
        })
    };

    object Digests() => new CertificateThumbprintValidator(Spare);

    object Keys() => new CertificateSubjectPublicKeyInfoValidator(
        new[] { "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" }, SubjectPublicKeyInfoAlgorithm.Sha256);

    object Given(string[] pins) => new CertificateThumbprintValidator(pins);
}
