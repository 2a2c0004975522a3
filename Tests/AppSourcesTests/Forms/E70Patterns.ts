import https from 'node:https';

const RULES70 = [
  { pattern: 'a70.acme.example', pins: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] },
  { pattern: 'b70.acme.example', pins: ['sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] },
  { pattern: 'no host', pins: ['sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] },
];

export const agent = new https.Agent({
  checkServerIdentity: (host, cert) => {
    const rule = RULES70.find((one) => one.pattern === host);
    const seen = `sha256/${createHash('sha256').update(cert.pubkey).digest('base64')}`;
    return rule?.pins.includes(seen) ? undefined : new Error('another key');
  },
});
