export default {
  live: { host: "api.acme.example", keys: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] },
};
export const stageHost = "stage.acme.example";
