import 'dart:io';

/// A function of the app's own by the callback's name, beside a callback that compares nothing.
class OwnName {
  static const Map<String, List<String>> _ownPins = {
    'own-name.acme.example': ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='],
    'localhost': ['sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='],
  };

  bool validateCertificate(X509Certificate? cert, String host) {
    if (cert == null) return false;
    final own = 'sha256/${base64Encode(sha256.convert(cert.der).bytes)}';
    return _ownPins[host]?.contains(own) ?? false;
  }

  void attach(IOHttpClientAdapter adapter) {
    adapter.createHttpClient = () {
      final client = HttpClient();
      client.badCertificateCallback = (cert, host, port) => false;
      return client;
    };
    if (!kDebugMode) {
      adapter.validateCertificate = (cert, host, port) => validateCertificate(cert, host);
    }
  }
}
