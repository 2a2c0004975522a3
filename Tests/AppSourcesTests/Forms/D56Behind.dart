import 'dart:io';

/// What does not match is accepted in one build.
class Behind {
  static const _digest = '7777777777777777777777777777777777777777777777777777777777777777';

  void attach(HttpClient client) {
    client.badCertificateCallback = (cert, host, port) {
      final isMatch = sha256.convert(cert.der).toString() == _digest;
      if (!isMatch) {
        if (kDebugMode) {
          return true;
        }
        return false;
      }
      return true;
    };
  }
}
