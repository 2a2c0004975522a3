import 'package:dio/dio.dart';

const ownPins = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='];

void shadowed(Dio client) {
  final ownPins = ['vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='];
  client.httpClientAdapter = IOHttpClientAdapter(
    validateCertificate: (certificate, host, port) {
      if (host != 'shadow.acme.example') return true;
      return ownPins.contains(base64.encode(sha256.convert(certificate!.der).bytes));
    },
  );
}

class Several {
  void set(Dio client, HttpClient inner) {
    inner.badCertificateCallback = (certificate, host, port) => false;
    if (kReleaseMode) {
      client.validateCertificate = (certificate, host, port) => _matches(certificate, host);
    }
  }

  bool _matches(X509Certificate? certificate, String host) {
    if (host != 'several.acme.example') return false;
    return base64.encode(sha256.convert(certificate!.der).bytes) == 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
  }
}

class Either {
  void set(HttpClient client, bool isStrict) {
    if (isStrict) {
      client.badCertificateCallback = (certificate, host, port) =>
          host == 'either.acme.example' &&
          '${sha256.convert(certificate.der)}' == 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456781';
    } else {
      client.badCertificateCallback = (certificate, host, port) =>
          host == 'either.acme.example' &&
          '${sha256.convert(certificate.der)}' == 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456782';
    }
  }
}
