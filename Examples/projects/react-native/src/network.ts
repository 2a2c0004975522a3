import {initializeSslPinning} from 'react-native-ssl-public-key-pinning';
import {TODAY, BACKUP} from './pins';

export async function start(): Promise<void> {
  await initializeSslPinning({
    'api.acme.com': {includeSubdomains: true, publicKeyHashes: [TODAY, BACKUP]},
  });
}

export async function startStage(): Promise<void> {
  await initializeSslPinning({
    'stage.acme.com': {publicKeyHashes: [TODAY, process.env.STAGE_PIN]},
  });
}
