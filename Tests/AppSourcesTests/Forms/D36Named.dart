import 'package:http_certificate_pinning/http_certificate_pinning.dart';

Future<String> check() => HttpCertificatePinning.check(serverURL: 'https://named.acme.example', sha: SHA.SHA256, allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']);

Future<void> d36Other() async {
  if (kDebugMode) return;
  await HttpCertificatePinning.check(serverURL: 'https://other.acme.example', sha: SHA.SHA256, allowedSHAFingerprints: ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']);
}
