import 'package:flutter_ssl_pinning/flutter_ssl_pinning.dart';
import 'package:http_certificate_pinning/http_certificate_pinning.dart';

const host = 'api.acme.example';
const fingerprint = 'AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89';

Future<void> main() async {
  SslPinning.initialize(pins: {
    host: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='],
  });
  await HttpCertificatePinning.check(
    serverURL: 'https://$host/login',
    sha: SHA.SHA256,
    allowedSHAFingerprints: [fingerprint],
  );
}
