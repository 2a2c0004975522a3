import { initializeSslPinning } from "react-native-ssl-public-key-pinning";

/** Conditions of the one function that calls another, and cases that leave. */
async function called() {
  await initializeSslPinning({ "called.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } });
}

export async function cases(env: string) {
  switch (env) {
    case "dev": return;
    case "stage": console.log(env); break;
  }
  try {
    if (isOff) { return; }
  } catch (e) { console.log(e); }
  await initializeSslPinning({ "cases.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } });
}

if (!__DEV__) { called(); }
