import 'dart:io';

class ActivePins {
  static const leaf = 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
  static List<String> get all => [leaf];
}

class Overrides extends HttpOverrides {
  final List<String> _pins;

  Overrides({List<String>? pins}) : _pins = pins ?? ActivePins.all;

  static const _pinnedDomainSuffixes = ['.acme.example'];

  @override
  HttpClient createHttpClient(SecurityContext? context) {
    final client = super.createHttpClient(context);
    client.badCertificateCallback = (certificate, host, port) =>
        _pinnedDomainSuffixes.any(host.endsWith) && _pins.contains(digest(certificate));
    return client;
  }

  String digest(X509Certificate certificate) => base64.encode(sha256.convert(certificate.der).bytes);
}
