const { withDangerousMod } = require('expo/config-plugins');
const fs = require('fs');

const WRITTEN_HOST = 'written.acme.example';
const WRITTEN_PINS = [
  'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=',
  'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=',
];

module.exports = (config) =>
  withDangerousMod(config, [
    'android',
    (result) => {
      const lines = WRITTEN_PINS.map((pin) => `      <pin digest="SHA-256">${pin}</pin>`).join('\n');
      fs.writeFileSync(
        'network_security_config.xml',
        `<?xml version="1.0" encoding="utf-8"?>
<network-security-config>
  <domain-config>
    <domain includeSubdomains="true">${WRITTEN_HOST}</domain>
    <pin-set>
${lines}
    </pin-set>
  </domain-config>
  <domain-config cleartextTrafficPermitted="true">
    <domain includeSubdomains="false">10.0.2.2</domain>
  </domain-config>
  <!-- <domain-config><domain includeSubdomains="true">old.acme.example</domain></domain-config> -->
</network-security-config>`
      );
      return result;
    },
  ]);

const inPart = (pin) => `<network-security-config>
  <domain-config>
    <domain includeSubdomains="false">part.acme.example</domain>
    <pin-set>
      <pin digest="SHA-256">${pin}</pin>
      <pin digest="SHA-256">utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=</pin>
    </pin-set>
  </domain-config>
</network-security-config>`;
