// D4: the app's own certificate is the only trust.
Future<SecurityContext> context() async {
  final data = await rootBundle.load('assets/acme.pem');
  final context = SecurityContext(withTrustedRoots: false);
  context.setTrustedCertificatesBytes(data.buffer.asUint8List());
  return context;
}

// A digest is compared in a function of its own.
const pinned = {'abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789'};

bool isPinned(X509Certificate certificate) => pinned.contains(sha256.convert(certificate.der).toString());

HttpClient client() => HttpClient()..badCertificateCallback = (certificate, host, port) => isPinned(certificate);

// Everything is accepted: no pins.
HttpClient open() => HttpClient()..badCertificateCallback = (certificate, host, port) => true;
