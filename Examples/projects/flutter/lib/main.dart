import 'package:flutter_ssl_pinning/flutter_ssl_pinning.dart';
import 'package:http_certificate_pinning/http_certificate_pinning.dart';

const host = 'api.acme.example';
const fingerprint = '59:10:D7:38:AE:6A:45:C5:21:95:88:14:76:06:2B:8C:32:72:28:98:EC:99:2F:66:1F:03:9E:27:1A:EE:52:53';

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
