import {initializeSslPinning} from 'react-native-ssl-public-key-pinning';

const PINS = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="];
const domain = `api.${'acme'}.example`;

export async function start(): Promise<void> {
  await initializeSslPinning({
    [domain]: {includeSubdomains: true, publicKeyHashes: PINS},
    'www.acme.example': {publicKeyHashes: [...PINS]},
  });
}

export const remote = (hash: string) =>
  initializeSslPinning({'api.acme.example': {publicKeyHashes: [hash, process.env.BACKUP_PIN]}});
