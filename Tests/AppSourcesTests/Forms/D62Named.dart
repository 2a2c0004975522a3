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
