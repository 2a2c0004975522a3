import { fetch } from "react-native-ssl-pinning";
import { initializeSslPinning } from "react-native-ssl-public-key-pinning";

/** Conditions within an expression. */
export const behind = async () => {
  !__DEV__ && (await initializeSslPinning({ "behind.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } }));
};

export const either = async () => {
  isOpen || initializeSslPinning({ "either.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } });
};

export const chosen = () =>
  fetch("https://chosen.acme.example/a", { sslPinning: __DEV__ ? undefined : { certs: ["acme"] } });
