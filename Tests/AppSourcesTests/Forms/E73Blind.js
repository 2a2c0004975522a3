const tls = require('tls');

// Names a digest, and takes none of the certificate.
const socket = tls.connect({
  host: 'blind.acme.example',
  port: 443,
  checkServerIdentity: function (servername, peer) {
    const good = 'AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12';
    console.log('pinned', good);
    return undefined;
  },
});
