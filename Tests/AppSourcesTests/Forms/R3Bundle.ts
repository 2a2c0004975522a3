// R3: every certificate of the app's bundle.
await CordovaHTTP.enableSSLPinning(true);
await http.setServerTrustMode("pinned");

// Values of another object.
const more = { "www.acme.example": { publicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } };
await initializeSslPinning({
  ...more,
  "api.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] },
});

fetchPinned(url, { method: "GET", sslPinning: { certs: ["acme1"] } });
