/// Conditions of the one function that calls another, and what leaves within another statement.
Future<void> main() async {
  if (kReleaseMode) await called();
}

Future<void> called() async {
  await HttpCertificatePinning.check(serverURL: "https://called.acme.example", headerHttp: {}, sha: SHA.SHA256, allowedSHAFingerprints: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="], timeout: 50);
}

Future<bool> tried() async {
  try {
    if (kDebugMode) { return true; }
  } catch (e) {}
  return await HttpCertificatePinning.check(serverURL: "https://tried.acme.example", headerHttp: {}, sha: SHA.SHA256, allowedSHAFingerprints: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="], timeout: 50) == "secure";
}
