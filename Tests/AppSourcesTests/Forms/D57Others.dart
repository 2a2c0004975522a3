import 'dart:io';

/// A host without pins is let through in one build: that says nothing of the others.
class Others {
  static const _digests = {
    'others.acme.example': '8888888888888888888888888888888888888888888888888888888888888888',
  };

  void attach(HttpClient client) {
    client.badCertificateCallback = (cert, host, port) {
      final own = sha256.convert(cert.der).toString();
      if (_digests[host] == null) {
        if (kDebugMode) return true;
        return false;
      }
      return own == _digests[host];
    };
  }
}
