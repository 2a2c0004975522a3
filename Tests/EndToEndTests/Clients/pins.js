// Pins a server's key as Node programs do, in one of the forms of the dialect `callback`.
//
// For each line of standard input, "host <tab> port <tab> trust file <tab> policy file", it asks the server of that name
// that listens on loopback, and answers in a line, as `lifetime: trial` has it.
const crypto = require("crypto")
const fs = require("fs")
const https = require("https")
const readline = require("readline")
const tls = require("tls")

class PinMismatch extends Error {}

function pin(certificate) {
  const key = new crypto.X509Certificate(certificate.raw).publicKey
  return crypto.createHash("sha256").update(key.export({ type: "spki", format: "der" })).digest("base64")
}

function identityCheck(form, pins) {
  return (host, certificate) => {
    if (form !== "node-pin-no-host") {
      const error = tls.checkServerIdentity(host, certificate)
      if (error) return error
    }
    if (!pins.includes(pin(certificate))) return new PinMismatch("no pin matches")
  }
}

function attempt(host, port, trust, policy) {
  const text = fs.readFileSync(policy, "utf8")
  const form = text.match(/form\W+([\w-]+)/)[1]
  const pins = [...text.matchAll(/sha256\/([A-Za-z0-9+/=]+)/g)].map((match) => match[1])
  const options = {
    host,
    port,
    agent: false,
    ca: fs.readFileSync(trust),
    lookup: (_, { all }, done) => (all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4)),
    checkServerIdentity: identityCheck(form, pins),
    rejectUnauthorized: form !== "node-pin-unauthorized",
  }
  return new Promise((resolve) => {
    const request = https.get(options, (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode === 200 ? "succeeded" : `failed ${response.statusCode}`))
    })
    request.on("error", (error) => resolve(`${word(error)} ${error.code} ${error.message}`.replaceAll("\n", " ")))
  })
}

function word(error) {
  if (error instanceof PinMismatch) return "refused-pin"
  return /CERT|SIGNATURE|EPROTO|ERR_SSL/.test(error.code) ? "refused" : "failed"
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(await attempt(...line.split("\t")))
  }
}

main()
