namespace Acme
{
    public class Loose
    {
        // Letters of either case are the same to it.
        private static readonly HashSet<string> Pins =
            new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "abcdef0123456789abcdef0123456789abcdef02" };

        public void Pin(HttpClientHandler handler) => handler.ServerCertificateCustomValidationCallback =
            (message, certificate, chain, errors) => Pins.Contains(certificate.GetCertHashString());
    }
}
