// Asks a server whose key must be pinned, with fetch and an Agent of undici.
//
//   node undici.js URL ENDPOINT TRUST [PINS]
const crypto = require("crypto")
const fs = require("fs")
const tls = require("tls")
const { Agent, fetch } = require("undici")

const [url, endpoint, trust, pins] = process.argv.slice(2)
const [address] = endpoint.split(":")

function checkServerIdentity(host, certificate) {
  const error = tls.checkServerIdentity(host, certificate)
  if (error || !pins) return error
  const key = new crypto.X509Certificate(certificate.raw).publicKey.export({ type: "spki", format: "der" })
  const pin = `sha256//${crypto.createHash("sha256").update(key).digest("base64")}`
  return pins.includes(pin) ? undefined : new Error("pin mismatch")
}

const connect = {
  ca: fs.readFileSync(trust),
  checkServerIdentity,
  lookup: (host, { all }, done) => (all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)),
}
fetch(url, { dispatcher: new Agent({ connect }) }).then(async (response) => {
  await response.text()
  if (!response.ok) throw new Error(`status ${response.status}`)
})
