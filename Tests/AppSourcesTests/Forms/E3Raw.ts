const pins: Record<string, { pins: string[] }> = {
  'api.acme.example': { pins: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] },
};

const agent = new https.Agent({
  checkServerIdentity: (host, certificate) => {
    const own = 'sha256/' + createHash('sha256').update(certificate.raw).digest('base64');
    return pins[host].pins.includes(own) ? undefined : new Error('another certificate');
  },
});
