namespace Acme
{
    public class Usual
    {
        protected virtual string Pin => "ABCDEF0123456789ABCDEF0123456789ABCDEF01";

        public void Start(HttpClientHandler handler) => handler.ServerCertificateCustomValidationCallback =
            (message, certificate, chain, errors) => certificate.GetCertHashString() == Pin;
    }

    public class Other : Usual
    {
        protected override string Pin => "ABCDEF0123456789ABCDEF0123456789ABCDEF02";
    }
}
