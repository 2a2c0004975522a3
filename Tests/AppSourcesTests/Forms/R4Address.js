export const load = (page) => {
  const address = `https://api.acme.example/list?page=${page}`;
  return fetch(address, { method: 'GET', sslPinning: { certs: ['acme'] } });
};

export const other = (host) => fetch(`https://${host}/list`, { sslPinning: { certs: ['other'] } });
