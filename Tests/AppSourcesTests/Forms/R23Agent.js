const https = require('https');
const options = {
  checkServerIdentity: (host, cert) => {
    if (cert.fingerprint256 !== 'AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89') return new Error('another certificate');
  },
};
const agent = new https.Agent(options);
axios.get('https://agent.acme.example/v1', { httpsAgent: agent });
axios.get('https://other.acme.example/v1');
