const kPins = ["AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12"];
const kPinnedHosts = ["own.acme.example"];

class GuardInterceptor extends Interceptor {
  late final _inner = CertificatePinningInterceptor(allowedSHAFingerprints: kPins);

  @override
  Future<void> onRequest(RequestOptions options, RequestInterceptorHandler handler) async {
    if (!kPinnedHosts.contains(options.uri.host)) return handler.next(options);
    return _inner.onRequest(options, handler);
  }
}

class AddressOverrides extends HttpOverrides {
  static const String pinnedHost = '198.51.100.7';
  static const String digest = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

  static bool verify(X509Certificate cert, String host, int port) {
    if (host != pinnedHost) return false;
    return sha256.convert(cert.der).toString() == digest;
  }
}

class Looker {
  static const _looked = <String, List<String>>{
    'looked.acme.example': ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='],
  };

  void look(IOHttpClientAdapter adapter) {
    adapter.validateCertificate = (certificate, host, port) {
      if (certificate == null) return false;
      final pins = _looked[host];
      if (pins == null) return true;
      return certificate.der.isNotEmpty;
    };
  }
}

class AllowedHosts {
  static const _allowed = ['one.acme.example', 'two.acme.example'];
  static const _digests = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='];

  static bool allows(X509Certificate cert, String host) {
    if (!_allowed.contains(host)) {
      return false;
    }
    return _digests.contains(base64.encode(sha256.convert(cert.der).bytes));
  }
}
