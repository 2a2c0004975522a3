// Asks a server whose key must be pinned, with Node's https and its checkServerIdentity, as Node's documentation shows.
//
//   node https.js URL ENDPOINT TRUST [PINS]
const crypto = require("crypto")
const fs = require("fs")
const https = require("https")
const tls = require("tls")

const [url, endpoint, trust, pins] = process.argv.slice(2)
const [address] = endpoint.split(":")

// Looks at the whole chain: each certificate names its issuer's, and a root names itself.
function checkServerIdentity(host, certificate) {
  const error = tls.checkServerIdentity(host, certificate)
  if (error || !pins) return error
  for (let one = certificate; ; one = one.issuerCertificate) {
    const key = new crypto.X509Certificate(one.raw).publicKey.export({ type: "spki", format: "der" })
    if (pins.includes(`sha256//${crypto.createHash("sha256").update(key).digest("base64")}`)) return
    if (!one.issuerCertificate || one.issuerCertificate === one) return new Error("pin mismatch")
  }
}

const options = {
  ca: fs.readFileSync(trust),
  checkServerIdentity,
  lookup: (host, { all }, done) => (all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)),
}
https.get(url, options, (response) => {
  response.resume()
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
})
