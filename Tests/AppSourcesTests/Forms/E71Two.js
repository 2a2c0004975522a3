const https = require('https');
const { createHash } = require('crypto');

const digestOf71 = (cert) => 'sha256/' + createHash('sha256').update(cert.pubkey).digest('base64');

function live71() {
  return new https.Agent({
    checkServerIdentity: (host, cert) =>
      digestOf71(cert) === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=' ? undefined : new Error('live'),
  });
}

function first71(host) {
  let stored = load(host);
  return new https.Agent({
    checkServerIdentity: (name, cert) => {
      const seen = digestOf71(cert);
      if (stored && stored !== seen) return new Error('changed');
      stored = seen;
      return undefined;
    },
  });
}

module.exports = { live71, first71 };
