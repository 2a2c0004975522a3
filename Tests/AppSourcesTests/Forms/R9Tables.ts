import { fetch as pinnedFetch } from 'react-native-ssl-pinning';

const TABLE: Record<string, string[]> = {
  'first.acme.example': ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='],
  'second.acme.example': ['sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg='],
};

export async function byTable(url: string) {
  const pins = TABLE[new URL(url).hostname] ?? [];
  return pinnedFetch(url, { method: 'GET', pkPinning: true, sslPinning: { certs: pins } });
}

const CHECKED = process.env.CHECKED_PIN ?? 'PLACEHOLDER';
const IS_CHECKED = !CHECKED.startsWith('PLACEHOLDER');

export const ios = IS_CHECKED
  ? { NSPinnedDomains: { 'checked.acme.example': { NSPinnedLeafIdentities: [{ 'SPKI-SHA256-BASE64': CHECKED }] } } }
  : {};
