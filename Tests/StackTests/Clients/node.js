// Node's tls module: one server a line, "port host anchors pin instant", and one answer a line.
const fs = require("node:fs");
const net = require("node:net");
const tls = require("node:tls");
const lines = require("node:readline").createInterface({ input: process.stdin });

function ask(port, host, anchors) {
  return new Promise((resolve) => {
    const answer = (word, reason = "") => resolve(`${word} ${reason}`.trim().replaceAll("\n", " "));
    try {
      const ca = fs.readFileSync(anchors, "utf8").match(/-----BEGIN[^]+?-----END CERTIFICATE-----/g);
      const checkServerIdentity = (_, certificate) => tls.checkServerIdentity(host, certificate);
      const socket = tls.connect({ host: "127.0.0.1", port, servername: net.isIP(host) ? "" : host, checkServerIdentity, ca, timeout: 20000 }, () => {
        answer("accept");
        socket.end();
      });
      socket.on("error", (error) => answer(error.syscall || error.isLate ? "fail" : "reject", error.message));
      socket.on("timeout", () => socket.destroy(Object.assign(new Error("no answer"), { isLate: true })));
    } catch (error) {
      answer("fail", error.message);
    }
  });
}

(async () => {
  for await (const line of lines) {
    const [port, host, anchors] = line.split(" ");
    console.log(await ask(Number(port), host, anchors));
  }
})();
