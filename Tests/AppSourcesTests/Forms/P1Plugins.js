const LIVE = ["01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67", "89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF"];

function look() {
  window.plugins.sslCertificateChecker.check(onSuccess, onError, "https://api.acme.example", LIVE);
}

SSLCertificateChecker.checkCertificate({ url: "https://www.acme.example/v1", fingerprint: "01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67" });

app.use(helmet.hpkp({ maxAge: 5184000, sha256s: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] }));
