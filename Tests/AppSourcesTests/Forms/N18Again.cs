using System.Net.Http;

/// A callback that is set again under a condition, or behind a guard within another statement.
class Again {
    HttpClientHandler Twice() {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => certificate.GetCertHashString() == "1111111111111111111111111111111111111111";
        if (isDebug) handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => true;
        return handler;
    }

    HttpClientHandler Left() {
        var handler = new HttpClientHandler();
        using (var scope = Open()) { if (isDebug) return handler; }
        handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => certificate.GetCertHashString() == "2222222222222222222222222222222222222222";
        return handler;
    }

    HttpClientHandler Once() {
        var handler = new HttpClientHandler();
        handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => certificate.GetCertHashString() == "3333333333333333333333333333333333333333";
        Use(handler);
        handler.ServerCertificateCustomValidationCallback = (m, certificate, c, e) => true;
        return handler;
    }
}
