import { fetch } from 'react-native-ssl-pinning';
import { FILES70, filesOf70 } from './R70Tables';

export const table70 = (url: string) => {
  const host = new URL(url).hostname;
  return fetch(url, { method: 'GET', sslPinning: { certs: FILES70[host] } });
};

export const called70 = (url: string) =>
  fetch(url, { method: 'GET', sslPinning: { certs: filesOf70(new URL(url).hostname) } });

export const one70 = (path: string) =>
  fetch(`https://one70.acme.example/${path}`, { method: 'GET', sslPinning: { certs: ['acme_one'] } });
