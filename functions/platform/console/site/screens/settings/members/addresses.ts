import { BASE } from '../../../ui/address.ts';

/** The email addresses that a person typed or pasted, such as `Ada <ada@example.com>, bob@example.com`, each once. */
export function addressesIn(text: string): string[] {
  const parts = text.split(/[,;\n]/).map((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part);
  return [...new Set(parts.map((part) => part.trim()).filter(Boolean))];
}

export const invitationLink = (token: string): string => `${location.origin}${BASE}/accept-invitation#${token}`;
