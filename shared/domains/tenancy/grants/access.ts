import type { Cursors } from '../../../platform/http/cursor.ts';
import type { CursorPageOf } from '../../../platform/storage/page.ts';
import type { GrantedObject, ObjectGrants } from './grants.ts';
import type { Access } from './records.ts';

/** A page of the access to an object. Throws the codes of `Cursors.open`. */
export async function listAccess(
  deps: { grants: ObjectGrants; cursors: Cursors; now(): Date },
  object: GrantedObject,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<CursorPageOf<Access>> {
  const now = deps.now();
  const scope = { workspaceId: object.workspaceId, list: [`${object.type}-access`, object.id] };
  const place = cursor ? await deps.cursors.open(cursor, scope, now) : { after: undefined, asOf: now.toISOString() };
  const { items, total, last } = await deps.grants.list(object, { limit, after: place.after });
  const nextCursor = last ? await deps.cursors.seal({ asOf: place.asOf, after: last }, scope, now) : null;
  return { items, total, nextCursor };
}
