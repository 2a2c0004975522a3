// Asks a server whose key must be pinned, with Node's http2, which offers nothing but HTTP/2.
//
//   node http2.js URL ENDPOINT TRUST [PINS]
const crypto = require("crypto")
const fs = require("fs")
const http2 = require("http2")
const tls = require("tls")

const [url, endpoint, trust, pins] = process.argv.slice(2)
const [host, port] = endpoint.split(":")

function checkServerIdentity(name, certificate) {
  const error = tls.checkServerIdentity(name, certificate)
  if (error || !pins) return error
  const key = new crypto.X509Certificate(certificate.raw).publicKey.export({ type: "spki", format: "der" })
  const pin = `sha256//${crypto.createHash("sha256").update(key).digest("base64")}`
  return pins.includes(pin) ? undefined : new Error("pin mismatch")
}

const session = http2.connect(url, {
  createConnection: ({ hostname }) =>
    tls.connect({
      host, port, servername: hostname, ca: fs.readFileSync(trust), ALPNProtocols: ["h2"], checkServerIdentity,
    }),
})
session.on("error", (error) => { throw error })
const request = session.request({ ":path": new URL(url).pathname })
request.on("response", (fields) => {
  if (fields[":status"] !== 200) throw new Error(`status ${fields[":status"]}`)
})
request.on("end", () => session.close()).resume()
