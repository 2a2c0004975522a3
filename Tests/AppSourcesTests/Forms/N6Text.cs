namespace Acme
{
    public class Joined
    {
        // A text that holds the digests, and not a list.
        private const string Pins = "ABCDEF0123456789ABCDEF0123456789ABCDEF03,ABCDEF0123456789ABCDEF0123456789ABCDEF04";

        public void Pin(HttpClientHandler handler) => handler.ServerCertificateCustomValidationCallback =
            (message, certificate, chain, errors) => Pins.Contains(certificate.GetCertHashString());
    }
}
