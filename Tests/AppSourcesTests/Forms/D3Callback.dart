const kFingerprint = 'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789';

HttpClient client() {
  final client = HttpClient(context: SecurityContext(withTrustedRoots: false));
  client.badCertificateCallback = (cert, host, port) => hex(sha256.convert(cert.der).bytes) == kFingerprint;
  return client;
}

HttpClient open() => HttpClient()..badCertificateCallback = (cert, host, port) => true;
