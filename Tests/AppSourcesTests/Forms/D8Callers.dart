import 'package:http_certificate_pinning/http_certificate_pinning.dart';

class Guard {
  Future<String> looksAt(String url, String digest, {int timeout = 10}) async {
    final allowed = <String>[];
    allowed.add(digest);
    return HttpCertificatePinning.check(
      serverURL: url,
      sha: SHA.SHA256,
      allowedSHAFingerprints: allowed,
      timeout: timeout,
    );
  }

  void start() {
    looksAt('https://api.acme.example/', 'AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12');
    if (isStaging) {
      looksAt('https://stage.acme.example/', 'CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34');
    }
  }

  // The same name as the library's own function, which nobody here calls.
  Future<String> check(String address, List<String> digests) async {
    return HttpCertificatePinning.check(serverURL: address, sha: SHA.SHA1, allowedSHAFingerprints: digests);
  }

  final servers = ['https://one.acme.example/login', 'https://two.acme.example/login'];

  Future<void> each() async {
    for (final server in servers) {
      final address = Uri.parse(server);
      await HttpCertificatePinning.check(
        serverURL: address.origin,
        sha: SHA.SHA256,
        allowedSHAFingerprints: ['EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56:EF:56'],
      );
    }
  }
}
