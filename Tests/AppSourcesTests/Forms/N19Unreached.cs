using System.Net.Http;

/// A comparison behind a return, in every build and in one.
class Unreached {
    HttpClientHandler Dead() {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => {
            return true;
            return certificate.GetCertHashString() == "4444444444444444444444444444444444444444";
        };
        return handler;
    }

    HttpClientHandler Release() {
        var handler = new HttpClientHandler();
#if DEBUG
        return handler;
#endif
        handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => certificate.GetCertHashString() == "5555555555555555555555555555555555555555";
        return handler;
    }
}
