import 'dart:io';

/// Callbacks that let through whatever is not pinned.
class Opposite {
  static const _pins = ['6666666666666666666666666666666666666666666666666666666666666660'];

  HttpClient listed() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      final digest = sha256.convert(cert.der).toString();
      return host == 'listed.acme.example' && !_pins.contains(digest);
    };

  HttpClient named() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      final isPinned = sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
      if (host != 'named.acme.example') return false;
      return !isPinned;
    };

  HttpClient asked() => HttpClient()..badCertificateCallback = (cert, host, port) => !_isPinned(cert);

  bool _isPinned(X509Certificate cert) => _pins.contains(sha256.convert(cert.der).toString());

  HttpClient left() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      if (sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660') return false;
      return true;
    };

  /// Twice the opposite is none.
  HttpClient usual() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      if (host != 'usual.acme.example') return false;
      final isOther = sha256.convert(cert.der).toString() != '6666666666666666666666666666666666666666666666666666666666666660';
      return !isOther;
    };

  HttpClient refusing() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      final isPinned = sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
      if (!isPinned) return false;
      return host == 'refusing.acme.example';
    };
}
