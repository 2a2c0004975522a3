const PINNED_CERTS: Record<string, string[]> = {
  'api.acme.example': ['acme_api', 'acme_backup'],
  'www.acme.example': ['acme_www'],
};

// Others ask this source for both.
export const pinnedFetch = () => require('react-native-ssl-pinning').fetch;

export function certsFor(hostname: string): string[] | null {
  return PINNED_CERTS[hostname.toLowerCase()] ?? null;
}
