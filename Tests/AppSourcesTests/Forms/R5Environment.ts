import { initializeSslPinning } from "react-native-ssl-public-key-pinning";

const HOST = process.env.EXPO_PUBLIC_HOST ?? "api.acme.example";
const BACKUP = process.env.EXPO_PUBLIC_BACKUP || "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=";

initializeSslPinning({ [HOST]: { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", BACKUP] } });
