import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';

const typed: Record<string, { publicKeyHashes: readonly string[]; mode: 'on' | 'off' }> = {
  'typed.acme.example': {
    publicKeyHashes: [
      'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=',
      'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=',
    ],
    mode: 'on',
  },
};
const later: () => void = () => initializeSslPinning(typed);

export async function ofServer() {
  const server = new URL(await askForServer()).hostname;
  await initializeSslPinning({
    [server]: { publicKeyHashes: ['vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] },
  });
}
