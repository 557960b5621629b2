import { Resolver } from 'node:dns/promises';

/**
 * Reads the TXT records of a name: each record's parts joined. A name without any, and one whose servers do not answer,
 * has none. `server` is an address with an optional port; the system's servers when absent.
 */
export function dnsTexts(server?: string): (name: string) => Promise<string[]> {
  return async (name) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (server) resolver.setServers([server]);
    const records = await resolver.resolveTxt(name).catch(() => []);
    return records.map((parts) => parts.join(''));
  };
}
