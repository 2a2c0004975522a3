import 'dart:io';

class Guarded {
  static const _open = 'open.acme.example';

  HttpClient live(HttpClient client) {
    if (kDebugMode) return client;
    client.badCertificateCallback = (certificate, host, port) {
      if (host == _open) return true;
      if (host == 'local.acme.example') return true;
      if (host != 'guarded.acme.example') return false;
      return '${sha256.convert(certificate.der)}' ==
          'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789';
    };
    return client;
  }
}

class Cut {
  static const Map<String, List<String>> _cutPins = {
    'cut.acme.example': ['A3:4F:9E:0D:3C:8A:11:22:A3:4F:9E:0D:3C:8A:11:22:A3:4F', '00:11:22:33:44:55:66:77'],
  };

  HttpClient cut(HttpClient client) {
    client.badCertificateCallback = (certificate, host, port) {
      final own = '${sha1.convert(certificate.der)}';
      return _cutPins[host]?.contains(own) ?? false;
    };
    return client;
  }
}

class Makes {
  final Map<String, List<String>> _table;

  Makes({Map<String, List<String>>? table}) : _table = table ?? _usual();

  static Map<String, List<String>> _usual() {
    return {
      'makes.acme.example': ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='],
    };
  }

  HttpClient made(HttpClient client) {
    client.badCertificateCallback = (certificate, host, port) => _asks(certificate, host);
    return client;
  }

  bool _asks(X509Certificate certificate, String host) => _looks(host, certificate);

  bool _looks(String host, X509Certificate certificate) => _compares(_table[host] ?? [], certificate);

  bool _compares(List<String> known, X509Certificate certificate) => known.contains(_digestOf(certificate));

  String _digestOf(X509Certificate certificate) => base64.encode(sha256.convert(certificate.der).bytes);
}
