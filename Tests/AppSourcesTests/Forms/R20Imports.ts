import { initializeSslPinning as start } from 'react-native-ssl-public-key-pinning';
import { LISTED as PINS, R20Host, R20Pins } from './R20Pins';

void start({ [R20Host.Live]: { publicKeyHashes: PINS }, [R20Host['Stage']]: { publicKeyHashes: [R20Pins.FIRST, R20Pins.SECOND] } });

const byHost = { 'a.acme.example': ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='], 'b.acme.example': ['vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=', 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] };

start(Object.entries(byHost).reduce((all, [host, hashes]) => { all[host] = { publicKeyHashes: hashes }; return all; }, {} as any));
start(Object.keys(byHost).reduce((all, host) => ({ ...all, [host]: { publicKeyHashes: byHost[host] } }), {}));
start({ [new URL('https://url.acme.example/v1').hostname]: { publicKeyHashes: [byHost['c.acme.example']?.[0] ?? 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] } });

class R20Base {
  protected host = 'base.acme.example';
  get pins() { return ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=']; }
  start() { return start({ [this.host]: { publicKeyHashes: this.pins } }); }
}

class R20Heir extends R20Base {
  protected host = 'heir.acme.example';
}

class R20Made {
  constructor(private readonly host: string) {}
  start() { return start({ [this.host]: { publicKeyHashes: ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='] } }); }
}

new R20Made('made.acme.example').start();
