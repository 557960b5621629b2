import { type CertificationRecord, entryName } from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { Searched } from './searched-kinds.ts';

/** Adds to documents the tags that objects have in the catalog. Terms have their own. */
export function tagging(records: readonly CertificationRecord[]): (object: Searched) => Searched {
  const tags = new Map(
    records
      .filter(({ listing }) => listing !== undefined && listing.tags.length > 0)
      .map(({ objectType, objectId, listing }) => [entryName({ type: objectType, id: objectId }), listing!.tags]),
  );
  return (object) => {
    const { draft, published } = object;
    const type = draft.type === 'saved_query' ? 'saved-query' : draft.type;
    const own = tags.get(`${type}#${draft.id}`);
    // Most objects have none, and a copy of each would cost time whenever the records are read.
    if (!own) return object;
    return { ...object, draft: { ...draft, tags: own }, ...(published && { published: { ...published, tags: own } }) };
  };
}
