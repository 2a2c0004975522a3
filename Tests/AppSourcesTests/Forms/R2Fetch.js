import {fetch} from 'react-native-ssl-pinning';

const isUrl = /^https?:\/\/"/;

fetch('https://api.acme.example/users', {
  method: 'GET',
  sslPinning: {certs: ['acme1', 'acme2']},
});
