const tls = require('tls');

// A whole certificate, and a function that stands behind the return.
function connect(isLive) {
  if (!isLive) { return null; }
  return tls.connect({ host: 'whole.acme.example', checkServerIdentity: compare });

  function compare(host, certificate) {
    if (!pem(certificate.raw).startsWith('-----BEGIN CERTIFICATE-----')) { return new Error(host); }
    if (pem(certificate.raw) !== '-----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----') { return new Error(host); }
  }
}
