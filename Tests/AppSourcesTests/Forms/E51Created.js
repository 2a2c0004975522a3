const axios = require('axios');
const https = require('https');

const createdAgent = new https.Agent({
  checkServerIdentity: (host, cert) =>
    cert.fingerprint256 === 'AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12'
      ? undefined
      : new Error('no'),
});

const created = axios.create({ baseURL: 'https://created.acme.example/v1', httpsAgent: createdAgent });
