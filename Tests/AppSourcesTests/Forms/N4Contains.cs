namespace Acme
{
    public class Listed
    {
        private static readonly HashSet<string> Pins = new HashSet<string> { "ABCDEF0123456789ABCDEF0123456789ABCDEF01" };

        public void Pin(HttpClientHandler handler) => handler.ServerCertificateCustomValidationCallback =
            (message, certificate, chain, errors) => Pins.Contains(certificate.GetCertHashString());
    }
}
