import Type, { type Static } from 'typebox';
import { KEY_SCOPES } from '../../shared/platform/auth/permissions.ts';
import { Id, Name, Nullable, Page, Revision, StringEnum, Timestamp } from '../../shared/platform/http/schemas.ts';

export const ApiKey = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    scope: StringEnum(KEY_SCOPES),
    prefix: Type.String({ description: 'The start of the key, to recognise it by.' }),
    expiresAt: Nullable(Timestamp),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyPage = Page(ApiKey);

export const NewApiKey = Type.Object({
  name: Name,
  scope: StringEnum(KEY_SCOPES),
  expiresAt: Type.Optional(Timestamp),
});

/** The only reply that ever carries the key itself. */
export const CreatedApiKey = Type.Object({ ...ApiKey.properties, key: Type.String() }, { $id: 'CreatedApiKey' });
export type CreatedApiKey = Static<typeof CreatedApiKey>;
