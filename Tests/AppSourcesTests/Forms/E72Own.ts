import crypto from 'crypto';
import https from 'https';

const PIN = 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';

export const live = new https.Agent({
  checkServerIdentity: (host, cert) => {
    const digest = crypto.createHash('sha256').update(cert.pubkey).digest('base64');
    return digest === PIN ? undefined : new Error('unknown key');
  },
});

// Its own constant hides the one of the file.
export const other = new https.Agent({
  checkServerIdentity: (host, cert) => {
    const PIN = 'replace-me-with-the-other-key==';
    const digest = crypto.createHash('sha256').update(cert.pubkey).digest('base64');
    return digest === PIN ? undefined : new Error('unknown key');
  },
});
