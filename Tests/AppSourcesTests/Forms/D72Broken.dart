import 'dart:io';

/// One of them has lost digits, and of the other one is none.
class BrokenTwice {
  static const _brokenPins = [
    '72]2727272727272727272727272727272727272727272727272727272727272',
    '727272727272727272727272727272727272727272727272727272727272',
  ];

  HttpClient client() => HttpClient()
    ..badCertificateCallback =
        (cert, host, port) => _brokenPins.contains(sha256.convert(cert.der).toString());
}

/// Base64 that somebody typed, and a file beside it.
class BrokenBase {
  static const _basePins = ['AbCdEfGhIjKlMnOpQrStUvWxYz7272727272727272727=', 'a-text-that-is-no-pin.json'];

  HttpClient client() => HttpClient()
    ..badCertificateCallback =
        (cert, host, port) => _basePins.contains(base64.encode(sha256.convert(cert.der).bytes));
}

/// A key of something else, in what leaves before the certificate is there; and a pin in what does not.
class BrokenBefore {
  static const _beforePin = '7272727272727272727272727272727272727272727272727272727272727201';

  Future<String> load(bool isTest) async {
    if (isTest) {
      final key = '7272727272727272727272727272727272727272727272727272727272727202';
      return key;
    }
    final answer = await HttpClient().getUrl(Uri.https('before72.acme.example')).close();
    if (sha256.convert(answer.certificate.der).toString() != _beforePin) throw const HandshakeException('pin');
    return answer.body;
  }
}

class BrokenBehind {
  HttpClient client() => HttpClient()
    ..badCertificateCallback = (cert, host, port) {
      final digest = sha256.convert(cert.der).toString();
      if (isStage) {
        final own = '7272727272727272727272727272727272727272727272727272727272727203';
        return digest == own;
      }
      return digest == '7272727272727272727272727272727272727272727272727272727272727204';
    };
}
