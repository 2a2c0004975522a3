const https = require("https");
const { address, digest: wanted } = require("./R6Common");
const common = require("./R6Common");

https.get(address).on("socket", (socket) => {
  socket.on("secureConnect", () => {
    if (socket.getPeerCertificate().fingerprint !== wanted) socket.destroy();
  });
});

const url = "https://" + common.hosts.main + "/";
fetch(url, { pkPinning: true, sslPinning: { certs: ["sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] } });
