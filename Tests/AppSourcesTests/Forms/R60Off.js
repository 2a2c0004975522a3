import { fetch } from 'react-native-ssl-pinning';

export const all = () =>
  fetch('https://off.acme.example/a', {
    disableAllSecurity: true,
    pkPinning: true,
    sslPinning: { certs: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] },
  });

export const bare = () => fetch('https://bare.acme.example/a', { method: 'GET', disableAllSecurity: true });

export const asked = (isLab) =>
  fetch('https://asked.acme.example/a', {
    disableAllSecurity: isLab,
    pkPinning: true,
    sslPinning: { certs: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] },
  });

export const on = () =>
  fetch('https://on.acme.example/a', {
    disableAllSecurity: false,
    pkPinning: true,
    sslPinning: { certs: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] },
  });

export const any = (url, isNear) =>
  fetch(url, { ...(isNear && { sslPinning: { certs: ['near'] } }), disableAllSecurity: !isNear });
