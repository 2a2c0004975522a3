import 'dart:io';

/// A digest of which two digits were lost.
class Lost {
  static const Map<String, List<String>> _lostPins = {
    'lost.acme.example': ['abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567'],
  };

  HttpClient made() {
    final client = HttpClient();
    client.badCertificateCallback = (certificate, host, port) {
      final own = sha256.convert(certificate.der).toString();
      return _lostPins[host]?.contains(own) ?? false;
    };
    return client;
  }
}
