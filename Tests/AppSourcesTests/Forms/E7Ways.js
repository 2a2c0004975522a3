const tls = require('tls');
const LIVE_HOST = 'live.acme.example';
const OWN_HOST = 'own.acme.example';

function options() { return {
  checkServerIdentity: (host, certificate) => {
    const isLive = host === LIVE_HOST;
    if (isLive) return tls.checkServerIdentity(host, certificate);
    if (host === OWN_HOST && certificate.fingerprint256 !== OWN_PIN) return new Error('another certificate');
  },
}; }
const OWN_PIN = 'CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB';

module.exports = { options, LIVE_HOST, OWN_HOST };
