import { Server } from './E6Base';

export class Shop extends Server {
  serverUrl = 'https://shop.acme.example/v1';
  ownFingerprint = 'AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD';
}
