import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Nullable, Revision, Timestamp } from '../../../platform/http/schemas.ts';

/** A valid name in `{{ secrets.<name> }}` and of an environment variable. */
export const SECRET_NAME = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';

/** The maximum size of a value in UTF-8. */
export const MAX_SECRET_BYTES = 32 * 1024;

export const Secret = Type.Object(
  {
    name: Type.String(),
    description: Nullable(Type.String()),
    createdBy: Id,
    createdAt: Timestamp,
    updatedBy: Id,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'Secret', description: 'A secret without its value, which is never returned.' },
);
export type Secret = Static<typeof Secret>;

/** A secret as stored. Its name is the id, and its value is encrypted (`shared/platform/crypto/secret-box.ts`). */
export type StoredSecret = Omit<Secret, 'name'> & { id: string; workspaceId: string; sealedValue: string };
