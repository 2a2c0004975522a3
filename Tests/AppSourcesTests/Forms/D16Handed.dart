import 'package:http_certificate_pinning/http_certificate_pinning.dart';

final one = Dio(BaseOptions(baseUrl: 'https://one.acme.example'));

void handed(Dio client) {
  client.interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: ['AB:56:AB:56:AB:56:AB:56:AB:56']));
}

const address = String.fromEnvironment('ADDRESS', defaultValue: 'https://stage.acme.example');

Future<void> checks() async {
  final isLive = address.contains('live.acme.example');
  if (!isLive) return;
  await HttpCertificatePinning.check(
    serverURL: address,
    sha: SHA.SHA256,
    allowedSHAFingerprints: ['AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78:AB:78'],
  );
}
