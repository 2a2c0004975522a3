import { initializeSslPinning } from 'react-native-ssl-public-key-pinning';

export const R22_FILLED: Record<string, any> = { 'first.acme.example': { publicKeyHashes: ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] } };

initializeSslPinning(R22_FILLED);
