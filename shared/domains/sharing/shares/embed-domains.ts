import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { EmbedDomain } from './schemas.ts';

export const MAX_EMBED_DOMAINS = 100;
/**
 * All of them together: they are in one header, and the gateway refuses replies whose headers are longer than 10,240
 * bytes.
 */
export const MAX_EMBED_CHARACTERS = 6000;

export type EmbedDomainRepository = Pick<Collection<EmbedDomain>, 'get' | 'list' | 'create' | 'remove' | 'readAll'>;

export const embedDomainRepository = (table: Table): EmbedDomainRepository =>
  collection<EmbedDomain>(table, {
    entity: 'embed-domain',
    unique: { of: ({ origin }) => origin, taken: 'EMBED_DOMAIN_TAKEN' },
    logs: auditedRecords<EmbedDomain>(table, {
      subject: 'embed_domain',
      name: ({ origin }) => origin,
      members: { origin: 'shown' },
    }),
  });

/** For `frame-ancestors` of a content security policy. A workspace without domains allows no frames. */
export async function frameAncestors(
  domains: Pick<EmbedDomainRepository, 'readAll'>,
  workspaceId: string,
): Promise<string[]> {
  const found = await domains.readAll(workspaceId);
  return found.length === 0 ? ["'none'"] : found.map(({ origin }) => origin).sort();
}
