import 'dart:io';

/// What lets everything through is a condition, whoever asks.
class Guarded {
  static const _pins = {
    'guarded.acme.example': ['6666666666666666666666666666666666666666666666666666666666666660', 'PLACEHOLDER'],
  };

  static bool hasPlaceholders() => _pins.values.any((list) => list.contains('PLACEHOLDER'));

  static bool _matches(X509Certificate cert, String host) {
    if (hasPlaceholders()) return true;
    return _pins[host]?.contains(sha256.convert(cert.der).toString()) ?? false;
  }

  static void attach(HttpClient client) {
    client.badCertificateCallback = (cert, host, port) => _matches(cert, host);
  }
}

/// The conditions of its callers in another source.
void attachForeign(HttpClient client) {
  client.badCertificateCallback = (cert, host, port) =>
      host == 'foreign.acme.example' && sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
}

/// One of two callers asks for nothing.
void attachTwice(HttpClient client) {
  client.badCertificateCallback = (cert, host, port) =>
      host == 'twice.acme.example' && sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
}

const _spare = '6666666666666666666666666666666666666666666666666666666666666660';

/// What is asked of a constant alone is a condition as well; what is asked of the certificate is none.
bool matchesSpare(X509Certificate cert) {
  if (_spare == 'A' * 64) return true;
  if (cert.subject == 'CN=spare') return false;
  return sha256.convert(cert.der).toString() == _spare;
}

HttpClient spare() => HttpClient()
  ..badCertificateCallback = (cert, host, port) => host == 'spare.acme.example' && matchesSpare(cert);
