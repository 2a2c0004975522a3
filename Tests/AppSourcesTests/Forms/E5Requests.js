const DIGESTS = ["01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67"];
const options = { hostname: "203.0.113.9", port: 443 };

function ask() {
  const request = https.request(options, () => {
    if (DIGESTS.indexOf(request.socket.getPeerCertificate().fingerprint) == -1) request.destroy();
  });
}

function askAgain(callback) {
  https.get("https://again.acme.example/socket", (answer) => {
    callback(answer.socket.getPeerCertificate().fingerprint === "89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF");
  });
}

app.on("certificate-error", (event, contents, url, error, certificate, callback) => {
  const isOurs = new URL(url).hostname.endsWith(".acme.example");
  callback(isOurs && certificate.fingerprint === "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=");
});

const CHECKS = [
  { server: "https://one.acme.example/", digests: ["01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67"] },
  { server: "https://two.acme.example/", digests: ["89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF"] },
];

const checkOne = (check) => {
  const checker = (server, digests) =>
    new Promise((resolve, reject) => window.plugins.sslCertificateChecker.check(resolve, reject, server, digests));
  return checker(check.server, check.digests);
};

export const checkAll = () => Promise.all(CHECKS.map(checkOne));

const third = https.get("https://third.acme.example/", () => {});

third.on("socket", (socket) => {
  if (socket.getPeerCertificate().fingerprint !== "EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45") third.abort();
});
