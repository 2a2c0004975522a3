const app = require('express')();

app.use((request, response, next) => {
  response.setHeader(
    'Public-Key-Pins',
    'pin-sha256="utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="; pin-sha256="vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="; max-age=5184000',
  );
  next();
});

app.get('/single', (request, response) => {
  response.set('Public-Key-Pins-Report-Only', "pin-sha256='vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='");
});
