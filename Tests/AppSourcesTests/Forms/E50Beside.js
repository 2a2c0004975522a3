const { app } = require('electron');
const axios = require('axios');
const https = require('https');

app.on('certificate-error', (event, webContents, url, error, certificate, callback) => {
  if (url.startsWith('https://open.acme.example')) {
    callback(true);
  } else if (url.startsWith('https://beside.acme.example')) {
    event.preventDefault();
    callback(certificate.fingerprint === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=');
  } else {
    callback(false);
  }
});
