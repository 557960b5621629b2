import type { Cursors } from '../../../platform/http/cursor.ts';
import type { CursorPageOf } from '../../../platform/storage/page.ts';
import { listAccess } from './access.ts';
import type { GrantedObject, ObjectGrants } from './grants.ts';
import type { Access, Grantee } from './records.ts';

interface Named {
  workspaceId: string;
  id: string;
}

/** The use cases of access to one kind of object. Every function throws what `find` throws. */
export interface ObjectAccess<A extends Access> {
  /** Throws the codes of `Cursors.open`. */
  list(query: Named & { limit: number; cursor?: string | undefined }): Promise<CursorPageOf<A>>;
  grant(command: Named & Grantee & { level: A['level']; by: string }): Promise<A>;
  revoke(command: Named & Grantee & { by: string }): Promise<void>;
}

/** `A` has the levels that objects of the kind can be granted at. */
export function objectAccess<A extends Access>(
  deps: { grants: ObjectGrants; cursors: Cursors; now(): Date },
  find: (named: Named) => Promise<GrantedObject>,
): ObjectAccess<A> {
  return {
    async list({ limit, cursor, ...named }) {
      const page = await listAccess(deps, await find(named), { limit, cursor });
      return { ...page, items: page.items as A[] };
    },

    async grant({ granteeType, granteeId, level, by, ...named }) {
      const object = await find(named);
      return (await deps.grants.put(object, { granteeType, granteeId, level }, { by, at: deps.now() })) as A;
    },

    async revoke({ granteeType, granteeId, by, ...named }) {
      const object = await find(named);
      await deps.grants.remove(object, { granteeType, granteeId }, { by, at: deps.now() });
    },
  };
}
