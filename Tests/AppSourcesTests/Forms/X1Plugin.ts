import {ConfigPlugin, withInfoPlist} from 'expo/config-plugins';

const LEAF = {'SPKI-SHA256-BASE64': 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='};

const withPins: ConfigPlugin<{enabled: boolean}> = (config, props) =>
  withInfoPlist(config, cfg => {
    if (props.enabled) {
      cfg.modResults.NSAppTransportSecurity = {
        NSPinnedDomains: {'api.acme.example': {NSIncludesSubdomains: true, NSPinnedLeafIdentities: [LEAF]}},
      };
    }
    return cfg;
  });

export default withPins;
