export default {
  expo: {
    ios: {
      infoPlist: {
        NSAppTransportSecurity: {
          ...shared.transport,
          NSPinnedDomains: {
            "api.acme.example": { NSPinnedLeafIdentities: [{ "SPKI-SHA256-BASE64": "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" }] },
          },
        },
      },
    },
  },
};

const misplaced = {
  NSExceptionDomains: {
    "acme.example": {
      NSPinnedDomains: { "dead.acme.example": { NSPinnedLeafIdentities: [{ "SPKI-SHA256-BASE64": "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=" }] } },
    },
  },
};

// Whether the spread replaces the pins is not known here.
const behind = { NSPinnedDomains: { "www.acme.example": {} }, ...shared.transport };
