using System.Net;

namespace Acme
{
    public static class Pinning
    {
        private const string KEY_HEX = "3082010A0282010100C0FFEEC0FFEEC0FFEEC0FFEEC0FFEEC0FFEEC0FFEEC0FFEEC0FFEEC0FFEEC0FFEE";

        public static void Start()
        {
            ServicePointManager.ServerCertificateValidationCallback =
                (sender, certificate, chain, errors) => certificate?.GetPublicKeyString() == KEY_HEX;
        }
    }
}
