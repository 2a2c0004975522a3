const list = ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='];
session.setCertificateVerifyProc(createSslVerificator([{domain: '*.acme.example', strict: false, fingerprints: list}]));
