import 'dart:io';

/// A digest that an extension gives certificates, and a file's beside it.
class Extended {
  static const _extendedPins = ['sha256/abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456783'];
  static const _model = 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456784';

  HttpClient made() {
    return HttpClient()
      ..badCertificateCallback = (X509Certificate cert, String host, int port) {
        if (kDebugMode) return true;
        final own = 'sha256/${cert.sha256}';
        return _extendedPins.contains(own);
      };
  }

  bool isWhole(Download file) => file.sha256 == _model;
}
