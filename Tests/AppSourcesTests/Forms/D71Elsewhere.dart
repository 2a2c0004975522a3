/// Hosts that another source tells, and whichever is asked.
class CheckedElsewhere {
  static const hash = '7171717171717171717171717171717171717171717171717171717171717100';

  Future<void> named() =>
      HttpCertificatePinning.check(serverURL: apiUrlOfElsewhere, sha: SHA.SHA256, allowedSHAFingerprints: [hash]);

  Future<void> within(String path) => HttpCertificatePinning.check(
      serverURL: '${BaseOfElsewhere.url}/$path', sha: SHA.SHA256, allowedSHAFingerprints: [hash]);

  Future<void> asked(String url) =>
      HttpCertificatePinning.check(serverURL: url, sha: SHA.SHA256, allowedSHAFingerprints: [hash]);
}
