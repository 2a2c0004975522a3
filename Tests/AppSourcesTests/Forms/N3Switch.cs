class N3Switch
{
    static string PinOf(string environment) => environment switch
    {
        "prod" => "AB12AB12AB12AB12AB12AB12AB12AB12AB12AB12",
        "uat" => "CD34CD34CD34CD34CD34CD34CD34CD34CD34CD34",
        _ => throw new ArgumentOutOfRangeException()
    };

    HttpClientHandler Handler(string environment) => new HttpClientHandler
    {
        ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
            errors == SslPolicyErrors.None && certificate.GetCertHashString() == PinOf(environment)
    };
}
