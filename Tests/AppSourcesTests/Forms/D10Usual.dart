import 'dart:io';

HttpClient ownRoots() {
  // No root of the system is trusted, without a word about it.
  final context = SecurityContext();
  context.setTrustedCertificates('assets/usual-root.pem');
  return HttpClient(context: context);
}

void serve() {
  final context = SecurityContext()..useCertificateChain('server.pem');
}

const digest = String.fromEnvironment(
  'PIN',
  defaultValue: 'AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78',
);

void intercept(Dio dio) {
  dio.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: [digest]));
}
