import 'dart:io';

/// Functions of one name belong to their own types.
class NamedFirst {
  HttpClient make() => HttpClient()..badCertificateCallback = accepts;

  bool accepts(X509Certificate cert, String host, int port) =>
      host == 'first.acme.example' && sha256.convert(cert.der).toString() == '6666666666666666666666666666666666666666666666666666666666666660';
}

class NamedSecond {
  HttpClient make() => HttpClient()..badCertificateCallback = accepts;

  bool accepts(X509Certificate cert, String host, int port) =>
      host == 'second.acme.example' && sha256.convert(cert.der).toString() == '7777777777777777777777777777777777777777777777777777777777777770';
}

class NamedThird {
  HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) => isOurs(cert, host);

  bool isOurs(X509Certificate cert, String host) => host == 'third.acme.example' && pinned(sha256.convert(cert.der).toString());

  bool pinned(String digest) => digest == '6666666666666666666666666666666666666666666666666666666666666660';
}

class NamedFourth {
  HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) => isOurs(cert, host);

  bool isOurs(X509Certificate cert, String host) => host == 'fourth.acme.example' && pinned(sha256.convert(cert.der).toString());

  bool pinned(String digest) => digest == '7777777777777777777777777777777777777777777777777777777777777770';
}

String digestOf(X509Certificate cert) => sha256.convert(cert.der).toString();

class NamedFifth {
  HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) => isOurs(cert, host);

  bool isOurs(X509Certificate cert, String host) => host == 'fifth.acme.example' && digestOf(cert) == '6666666666666666666666666666666666666666666666666666666666666660';
}

class NamedSixth {
  HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) => isOurs(cert, host);

  bool isOurs(X509Certificate cert, String host) => host == 'sixth.acme.example' && digestOf(cert) == '7777777777777777777777777777777777777777777777777777777777777770';
}
