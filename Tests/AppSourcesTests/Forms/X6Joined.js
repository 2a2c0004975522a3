// A plugin that puts its configuration together.
const HOST = 'api.acme.example';
const PINS = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='];
const lines = PINS.map((pin) => `<pin digest="SHA-256">${pin}</pin>`).join('\n');
const known =
  '<network-security-config><domain-config>\n' +
  `<domain>${HOST}</domain>\n` +
  '<pin-set expiration="2027-01-01">\n' +
  lines +
  '</pin-set></domain-config></network-security-config>';
const others = '<network-security-config>' + '</network-security-config>';

function written(host) {
  return '<network-security-config><domain-config><domain>' + host + '</domain><pin-set><pin digest="SHA-256">' +
    PINS[0] + '</pin></pin-set></domain-config></network-security-config>';
}
module.exports = { known, others, written };
