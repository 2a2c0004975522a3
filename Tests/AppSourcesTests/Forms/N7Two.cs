namespace Acme
{
    public class Two
    {
        // Two in one function, of which each has a pin of its own.
        public void Pin(HttpClientHandler first, HttpClientHandler second)
        {
            first.ServerCertificateCustomValidationCallback =
                (message, certificate, chain, errors) => certificate.Thumbprint == "ABCDEF0123456789ABCDEF0123456789ABCDEF05";
            second.ServerCertificateCustomValidationCallback =
                (message, certificate, chain, errors) => certificate.Thumbprint == "ABCDEF0123456789ABCDEF0123456789ABCDEF06";
        }
    }
}
