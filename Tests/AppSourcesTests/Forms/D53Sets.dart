import 'dart:io';

/// Set in a function of its own, with one place that asks for it.
class Sets {
  Sets(this.adapter) {
    if (!kIsWeb) _setsPins();
  }

  final IOHttpClientAdapter adapter;

  void _setsPins() {
    adapter.validateCertificate = (cert, host, port) =>
        base64Encode(sha256.convert(cert!.der).bytes) == 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
  }
}
