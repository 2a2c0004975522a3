import { R22_FILLED } from './R22Filled';

R22_FILLED['second.acme.example'] = { publicKeyHashes: ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] };
