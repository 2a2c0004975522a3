import * as Https from '@nativescript-community/https';
import { knownFolders } from '@nativescript/core';

const nativeFile = knownFolders.currentApp().getFolder('assets').getFile('api.acme.example.cer').path;
Https.enableSSLPinning({ host: 'api.acme.example', certificate: nativeFile });

function other() {
  const certificate = knownFolders.currentApp().getFile('certs/other.cer').path;
  const options = { host: 'other.acme.example', certificate };
  Https.enableSSLPinning(options);
}

function given(certificate: string) {
  Https.enableSSLPinning({ host: 'given.acme.example', certificate });
}
