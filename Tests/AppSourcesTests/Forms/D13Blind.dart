import 'dart:io';

class Blind {
  static const Map<String, List<String>> _blindPins = {
    'blind.acme.example': ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='],
  };

  HttpClient made() {
    final client = HttpClient();
    client.badCertificateCallback = (certificate, host, port) => _isKnown(host);
    return client;
  }

  bool _isKnown(String host) => _blindPins[host]?.contains('later') ?? false;
}
