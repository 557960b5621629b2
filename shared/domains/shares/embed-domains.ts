import { auditedRecords } from '../../platform/audit/records.ts';
import { type Collection, collection } from '../../platform/storage/collection.ts';
import type { Table } from '../../platform/storage/table.ts';
import type { EmbedDomain } from './schemas.ts';

export const MAX_EMBED_DOMAINS = 100;
/** All of them together: they are in one header, and the gateway refuses replies whose headers are longer than 10,240 bytes. */
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

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ORIGIN = new RegExp(
  `^https://(?:\\*\\.${LABEL}\\.${LABEL}(?:\\.${LABEL})*|${LABEL}(?:\\.${LABEL})+)(?::\\d{1,5})?$`,
);
const LOCALHOST = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/;

/** The origin as browsers write it, in ASCII; undefined if the text is no HTTPS origin. `localhost` may use plain HTTP. */
export function originOf(text: string): string | undefined {
  const url = URL.parse(text.trim());
  // What browsers leave out of an origin is not part of one here either.
  if (url?.pathname !== '/' || /[?#@]/.test(text)) return undefined;
  return ORIGIN.test(url.origin) || LOCALHOST.test(url.origin) ? url.origin : undefined;
}
