import 'package:http_certificate_pinning/http_certificate_pinning.dart';

const fingerprint = 'AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67 89';

Future<void> check() async {
  await HttpCertificatePinning.check(
    serverURL: "https://api.acme.example/v1",
    headerHttp: {},
    sha: SHA.SHA256,
    allowedSHAFingerprints: [fingerprint],
    timeout: 60,
  );
}
