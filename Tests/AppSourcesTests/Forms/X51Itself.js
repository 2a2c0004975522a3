module.exports = (config) =>
  withInfoPlist(config, (config) => {
    const ats = config.modResults.NSAppTransportSecurity ?? {};
    config.modResults.NSAppTransportSecurity = {
      ...ats,
      NSExceptionDomains: { ...(ats.NSExceptionDomains || {}), localhost: { NSExceptionAllowsInsecureHTTPLoads: true } },
      NSPinnedDomains: {
        ...(config.modResults.NSAppTransportSecurity?.NSPinnedDomains ?? {}),
        'itself.acme.example': { NSPinnedLeafIdentities: [{ 'SPKI-SHA256-BASE64': 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=' }] },
      },
    };
    return config;
  });

// Others' pins are not these.
const others = {
  NSPinnedDomains: {
    ...(shared.pins || {}),
    'others.acme.example': { NSPinnedLeafIdentities: [{ 'SPKI-SHA256-BASE64': 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=' }] },
  },
};
