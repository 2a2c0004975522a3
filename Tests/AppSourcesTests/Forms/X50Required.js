const { requiredHost, requiredPins } = require('./not-there.json');

module.exports = function plugin(config) {
  config.modResults.NSAppTransportSecurity = {
    NSPinnedDomains: {
      [requiredHost]: { NSPinnedCAIdentities: [{ 'SPKI-SHA256-BASE64': requiredPins }] },
    },
  };
  return config;
};
