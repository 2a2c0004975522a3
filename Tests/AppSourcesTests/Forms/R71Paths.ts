import { fetch } from 'react-native-ssl-pinning';

const options = { pkPinning: true, sslPinning: { certs: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] } };

// What is called a path begins with its slash.
export const load = (path: string) => fetch('https://paths.acme.example' + path, options);
export const open = (item: { path: string }) => fetch(`https://within.acme.example${item.path}`, options);
// The rest of a name may follow.
export const other = (country: string) => fetch('https://shop.acme' + country, options);
