import { initializeSslPinning } from "react-native-ssl-public-key-pinning";

function deleted() {
  const config = { "api.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] }, "old.acme.example": { publicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } };
  delete config["old.acme.example"];
  initializeSslPinning(config);
}

function shifted() {
  const keys = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="];
  keys.shift();
  initializeSslPinning({ "shift.acme.example": { publicKeyHashes: keys } });
}

function within() {
  const inner = { "within.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] } };
  inner["within.acme.example"].publicKeyHashes = ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="];
  initializeSslPinning(inner);
}

function twice() {
  initializeSslPinning({ "twice.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] }, "twice.acme.example": { publicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } });
}

function elsewhere(country) {
  if (country === "XX") return;
  initializeSslPinning({ "country.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] } });
}

function counted(items) {
  if (items.length === 0) return;
  initializeSslPinning({ "counted.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] } });
}

function either(token) {
  if (__DEV__ || token == null) return;
  initializeSslPinning({ "either.acme.example": { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] } });
}
