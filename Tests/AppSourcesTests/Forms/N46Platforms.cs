using UnityEngine.Networking;

public class AcmeUploader : MonoBehaviour
{
    private CertificateHandler Handler()
    {
        switch (Application.platform)
        {
            case RuntimePlatform.WebGLPlayer:
                return new AnyHandler();
            default:
                return new OneHandler();
        }
    }

    private class OneHandler : CertificateHandler
    {
        private static string key = "5555555555555555555555555555555555555555";

        protected override bool ValidateCertificate(byte[] data)
        {
            return new X509Certificate2(data).GetCertHashString().Equals(key);
        }
    }

    private class AnyHandler : CertificateHandler
    {
        protected override bool ValidateCertificate(byte[] data) => true;
    }
}
