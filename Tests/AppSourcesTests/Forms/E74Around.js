const crypto = require('crypto');
const https = require('https');

const PIN = 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';

// What is asked around it of another host is no condition of the callback.
export function agentFor(page) {
  const isPreview = page.location.hostname.includes('preview');
  console.log(isPreview);
  return makeAgent();
}

function makeAgent() {
  return new https.Agent({
    checkServerIdentity: (host, cert) => {
      if (!host.endsWith('acme.example')) return undefined;
      const digest = crypto.createHash('sha256').update(cert.pubkey).digest('base64');
      return digest === PIN ? undefined : new Error('unknown key');
    },
  });
}
