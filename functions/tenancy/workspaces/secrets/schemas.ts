import type { Static } from 'typebox';
import * as Type from 'typebox';
import { MAX_SECRET_BYTES, SECRET_NAME, Secret } from '../../../../shared/domains/warehouse/secrets/index.ts';
import { Nullable, Page } from '../../../../shared/platform/http/schemas.ts';

export const SecretPage = Page(Secret);

export const SecretParams = Type.Object({
  name: Type.String({
    pattern: SECRET_NAME,
    description:
      'The name of the secret: letters, digits and underscores, at most 64, not starting with a digit. Case matters.',
  }),
});

export const SecretValue = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: MAX_SECRET_BYTES,
      description: 'Any text of at most 32 KiB in UTF-8. No reply shows it.',
    }),
    description: Type.Optional(
      Nullable(
        Type.String({ maxLength: 500, description: 'Omit it to keep the current description; null removes it.' }),
      ),
    ),
  },
  { $id: 'SecretValue', description: 'The value to store under the name.' },
);
export type SecretValue = Static<typeof SecretValue>;
