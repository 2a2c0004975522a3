import { initializeSslPinning } from './R21Mock';

initializeSslPinning({ 'mock.acme.example': { publicKeyHashes: ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] } });
