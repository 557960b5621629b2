import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Attributes } from '../../shared/domains/workspaces/index.ts';
import { KEY_SCOPES } from '../../shared/platform/auth/permissions.ts';
import {
  Id,
  idParams,
  Name,
  Nullable,
  Page,
  Revision,
  StringEnum,
  Timestamp,
} from '../../shared/platform/http/schemas.ts';
export const ApiKeyParams = idParams('API key');

export const ApiKey = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    scope: StringEnum(KEY_SCOPES),
    prefix: Type.String({ description: 'The start of the key, to recognise it by.' }),
    expiresAt: Nullable(Timestamp),
    attributes: Attributes,
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'ApiKey', description: 'A credential for a program. It acts for the admin who created it, within its scope.' },
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyPage = Page(ApiKey);

export const CreateApiKey = Type.Object(
  {
    name: Name,
    scope: StringEnum(KEY_SCOPES),
    expiresAt: Type.Optional(
      Type.String({ format: 'date-time', maxLength: 64, description: 'Omit it for a key that never expires.' }),
    ),
    attributes: Type.Unsafe<Attributes>({ ...Attributes, default: {} }),
  },
  { $id: 'CreateApiKey', description: 'A new API key.' },
);

export const CreatedApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: 'The key itself. Store it: no other reply shows it.' }) },
  { $id: 'CreatedApiKey', description: 'The created API key, with the key itself.' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;
