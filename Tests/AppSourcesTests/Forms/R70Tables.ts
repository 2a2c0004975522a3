export const FILES70: Record<string, string[]> = {
  'a70.acme.example': ['acme_a', 'acme_spare'],
  'b70.acme.example': ['acme_b'],
};

export const filesOf70 = (host: string) => FILES70[host] ?? [];
