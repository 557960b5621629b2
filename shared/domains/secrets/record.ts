import Type, { type Static } from 'typebox';
import { Id, Nullable, Revision, Timestamp } from '../../platform/http/schemas.ts';

/** How a secret can be called: what `{{ secrets.<name> }}` can say, and what can be the name of an environment variable. */
export const SECRET_NAME = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';

/** Bytes of a value in UTF-8. */
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
  { $id: 'Secret', description: 'What is known of a stored value. The value itself is never returned.' },
);
export type Secret = Static<typeof Secret>;

/** As stored: the name is the id, and the value a sealed text (`shared/platform/crypto/secret-box.ts`). */
export type StoredSecret = Omit<Secret, 'name'> & { id: string; workspaceId: string; sealedValue: string };
