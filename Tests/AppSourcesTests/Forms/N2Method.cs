namespace Acme
{
    public class Client
    {
        private const string Thumbprint = @"ABCDEF0123456789ABCDEF0123456789ABCDEF01";

        public HttpClientHandler Handler() => new HttpClientHandler
        {
            ServerCertificateCustomValidationCallback = Validate
        };

        private bool Validate(HttpRequestMessage message, X509Certificate2 certificate, X509Chain chain, SslPolicyErrors errors)
        {
            return certificate.Thumbprint == Thumbprint;
        }
    }
}
