using UnityEngine.Networking;

public class AcmeLogin : MonoBehaviour
{
    IEnumerator Fetch()
    {
        string address = "https://api.acme.example/players";
        using (UnityWebRequest www = UnityWebRequest.Get(address))
        {
            www.certificateHandler = new AcmeKeyHandler();
            yield return www.SendWebRequest();
        }
    }

    public class AcmeKeyHandler : CertificateHandler
    {
        private static string key = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";

        protected override bool ValidateCertificate(byte[] data)
        {
            var certificate = new X509Certificate2(data);
            return certificate.GetCertHashString().Equals(key);
        }
    }
}
