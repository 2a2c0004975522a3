import { initializeSslPinning } from "react-native-ssl-public-key-pinning";
import values from "./R6Values";
import * as more from "./R6Values";
import { hostOfStage } from "./R6Again";

initializeSslPinning({ [values.live.host]: { publicKeyHashes: values.live.keys } });
initializeSslPinning({ [more.stageHost]: { publicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="] } });
initializeSslPinning({ [hostOfStage]: { publicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } });

const pinsOf = (name) => [name, "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="];
initializeSslPinning({ "www.acme.example": { publicKeyHashes: pinsOf("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") } });
