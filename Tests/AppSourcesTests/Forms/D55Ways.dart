import 'dart:io';

/// What is asked behind the digest, and by those who call.
class Ways {
  static const _digests = {'6666666666666666666666666666666666666666666666666666666666666666'};

  void attach(HttpClient client) {
    client.badCertificateCallback = (cert, host, port) {
      if (Settings.isMocked) return true;
      return _isOurs(cert);
    };
  }

  bool _isOurs(X509Certificate cert) {
    try {
      final der = cert.der;
      if (Settings.isDevelopment) {
        return true;
      }
      return _isKnown(der);
    } catch (_) {
      return false;
    }
  }

  bool _isKnown(List<int> der) => _digests.contains(sha256.convert(der).toString());
}
