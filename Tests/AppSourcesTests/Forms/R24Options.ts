import { fetch } from 'react-native-ssl-pinning';

const pinning = { pkPinning: true, sslPinning: { certs: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] } };
const files = { method: 'GET', sslPinning: { certs: ['acme'] } };
const alone = { sslPinning: { certs: ['alone'] } };

export const first = (path: string) => fetch(`https://spread.acme.example/${path}`, { body: typeof path === 'string' ? path : null, ...pinning });
export const second = () => fetch('https://named.acme.example/v1', files);
export const third = () => fetch('https://over.acme.example/v1', { ...pinning, pkPinning: false, sslPinning: { certs: ['over'] } });
