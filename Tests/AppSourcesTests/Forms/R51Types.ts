import { fetch as pinned } from 'react-native-ssl-pinning';

export const get = (options?: RequestInit) =>
  pinned('https://typed.acme.example', {
    method: options?.method as 'GET' | 'POST',
    headers: options?.headers as
      | Record<string, string>
      | undefined,
    sslPinning: { certs: ['typed'] },
  });
