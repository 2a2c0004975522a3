Future<SecurityContext> context() async {
  final root = await rootBundle.loadString('assets/acme-root.pem');
  final own = await rootBundle.loadString('assets/device.pem');
  final context = SecurityContext(withTrustedRoots: false);
  context.setTrustedCertificatesBytes(utf8.encode(root));
  context.useCertificateChainBytes(utf8.encode(own));
  return context;
}
