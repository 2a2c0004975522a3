import { initializeSslPinning } from "react-native-ssl-public-key-pinning";

void initializeSslPinning({
  "void.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] },
});

function later(): void {
  void initializeSslPinning({ "later.acme.example": { publicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } });
}

const start = (wide: boolean | string) => void initializeSslPinning({
  "typed.acme.example": {
    includeSubdomains: typeof wide === "string" ? true : false,
    publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="],
  },
});
