// The pins of the file that is written come from a list of the source.
const { withAndroidManifest } = require('@expo/config-plugins');
const fs = require('fs');

const HOST = 'list.acme.example';
const PINS = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='].map((pin) => pin);
const CONFIGURATION = `<network-security-config>
  <domain-config>
    <domain includeSubdomains="true">${HOST}</domain>
    <pin-set>
      ${PINS.map((pin, index) => `<!-- ${index} --><pin digest="SHA-256">${pin}</pin>`).join('\n')}
    </pin-set>
  </domain-config>
</network-security-config>`;

module.exports = (config) =>
  withAndroidManifest(config, async (made) => {
    fs.writeFileSync('res/xml/network_security_config.xml', CONFIGURATION);
    return made;
  });
