namespace Acme
{
    public class Set
    {
        public string Fingerprint { get; set; } = "ABCDEF0123456789ABCDEF0123456789ABCDEF01";

        public void Start(HttpClientHandler handler) => handler.ServerCertificateCustomValidationCallback =
            (message, certificate, chain, errors) => certificate.GetCertHashString() == Fingerprint;

        public static Set Other() => new Set { Fingerprint = "ABCDEF0123456789ABCDEF0123456789ABCDEF02" };
    }
}
