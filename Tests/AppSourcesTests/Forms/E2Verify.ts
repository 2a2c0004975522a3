// E2: a callback of the app's own, and Node's.
const PINS: Record<string, string[]> = { "api.acme.example": ["sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] };

session.defaultSession.setCertificateVerifyProc((request, callback) => {
  const pins = PINS[request.hostname];
  callback(pins && pins.includes(request.certificate.fingerprint) ? 0 : -2);
});

export const agent = new https.Agent({
  checkServerIdentity: (host, certificate) =>
    certificate.fingerprint256 === process.env.FINGERPRINT ? undefined : new Error("pin"),
});
