import { readItems } from '../../../platform/storage/read-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { recordKey } from './keys.ts';
import { type CertificationRecord, type CertifiedObject, entryName } from './records.ts';

/** What cards and texts call the objects that their rows come from. */
const TYPES: Readonly<Record<string, CertifiedObject>> = {
  dataset: 'dataset',
  savedQuery: 'saved-query',
  model: 'model',
  metric: 'metric',
};

/** Finds the sources that should no longer be used, and says so, without the names of objects. */
export async function deprecatedSources(
  table: Table,
  workspaceId: string,
  sources: readonly { kind: string; id: string }[],
): Promise<(source: { kind: string; id: string } | undefined) => string | undefined> {
  const places = new Map(
    sources.flatMap(({ kind, id }) => {
      const type = TYPES[kind];
      return type ? [[entryName({ type, id }), { workspaceId, type, id }] as const] : [];
    }),
  );
  const items = await readItems(table, [...places.values()].map(recordKey));
  const deprecated = new Map(
    items.flatMap((item) => {
      const { objectType: type, objectId: id, entries } = toRecord<CertificationRecord>(item);
      const entry = entries[entryName({ type, id })];
      return entry?.status === 'deprecated' ? [[entryName({ type, id }), entry] as const] : [];
    }),
  );
  return (source) => {
    const type = source && TYPES[source.kind];
    const found = type && deprecated.get(entryName({ type, id: source.id }));
    if (!found) return undefined;
    const until = found.removeAfter ? `, and will be removed after ${found.removeAfter.slice(0, 10)}` : '';
    const instead = found.replacedBy ? ' Use what replaces it.' : '';
    return `The ${type.replace('-', ' ')} should no longer be used${until}.${instead}`;
  };
}
