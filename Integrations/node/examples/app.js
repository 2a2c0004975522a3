// An app for the examples: asks its server once, and knows pins or none.
import crypto from 'node:crypto'
import http from 'node:http'
import tls from 'node:tls'

/**
 * What the app showed its user.
 *
 * @param {import('../pindrill.js').Attempt} attempt
 * @param {string[]} pins
 */
export async function ask(attempt, pins) {
  const { host, address, port, trust } = attempt
  const socket = await tunnel(address, port, host)
  return new Promise((resolve) => {
    const connection = tls.connect({ socket, servername: host, ca: trust })
    connection.setTimeout(30_000, () => connection.destroy(new Error('no answer')))
    connection.on('error', (error) => {
      attempt.note = error.message
      resolve(connection.authorizationError || /certificate/.test(error.message) ? 'refused' : 'failed')
    })
    connection.on('end', () => resolve('failed'))
    connection.on('secureConnect', () => {
      // The pin is compared before a byte of the request is sent.
      if (pins.length && !pins.includes(pin(connection.getPeerCertificate()))) {
        resolve('refused-pin')
        connection.destroy()
      } else {
        connection.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      }
    })
    connection.on('data', (data) => resolve(String(data).startsWith('HTTP/1.1 200') ? 'worked' : 'failed'))
  })
}

const tunnel = (host, port, target) =>
  new Promise((resolve, reject) => {
    const request = http.request({ host, port, method: 'CONNECT', path: `${target}:443` })
    request.on('connect', (_, socket) => resolve(socket)).on('error', reject).end()
  })

const pin = (certificate) => {
  const key = new crypto.X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' })
  return crypto.createHash('sha256').update(key).digest('base64')
}
