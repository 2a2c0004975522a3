using System.Net;

/// A callback of the whole program that the same function replaces in some builds, and another one in some of its own.
class N64Replaced
{
    void Start()
    {
        ServicePointManager.ServerCertificateValidationCallback += (s, cert, chain, errors) => cert.GetCertHashString() == "1111111111111111111111111111111111111111";
        if (isDebug) { ServicePointManager.ServerCertificateValidationCallback += (s, cert, chain, errors) => true; }
    }

    void Lab()
    {
        if (isDebug) { ServicePointManager.ServerCertificateValidationCallback = (s, cert, chain, errors) => true; }
    }
}
