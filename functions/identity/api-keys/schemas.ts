import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Attributes } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { KEY_SCOPES } from '../../../shared/platform/auth/permissions.ts';
import { RESOURCE_TYPES } from '../../../shared/platform/auth/resources.ts';
import {
  Id,
  idParams,
  Name,
  Nullable,
  Page,
  Revision,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';
export const ApiKeyParams = idParams('API key');

const Resource = Type.Object(
  {
    type: StringEnum(RESOURCE_TYPES),
    id: Type.Unsafe<string>({ ...Id, description: 'The id of the object, in the workspace of the key.' }),
  },
  { $id: 'ApiKeyResource', description: 'An object that the key reaches.', additionalProperties: false },
);

const Resources = Nullable(
  Type.Array(Resource, {
    minItems: 1,
    maxItems: 100,
    description: 'The only objects that the key can reach. Lists and everything else reply 403. Null for no limit.',
  }),
);

export const ApiKey = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    scope: StringEnum(KEY_SCOPES),
    prefix: Type.String({ description: 'The start of the key, to recognize it by.' }),
    expiresAt: Nullable(Timestamp),
    attributes: Attributes,
    resources: Resources,
    serviceAccountId: Type.Unsafe<string | null>({
      ...Nullable(Id),
      description: 'The service account that the key acts for; null if it acts for the admin who created it.',
    }),
    lastUsedAt: Type.Unsafe<string | null>({
      ...Nullable(Timestamp),
      description: 'When the key was last used, accurate to an hour; null if it never was.',
    }),
    previousUntil: Type.Unsafe<string | null>({
      ...Nullable(Timestamp),
      description: 'Until when the value from before the last rotation works.',
    }),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  {
    $id: 'ApiKey',
    description:
      'A credential for a program. It acts for the admin who created it, or for a service account, within its scope.',
  },
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
    resources: Type.Optional(Resources),
    serviceAccountId: Type.Optional(
      Type.Unsafe<string>({
        ...Id,
        description: 'For a key of a service account. It has the attributes of the account, and none of its own.',
      }),
    ),
  },
  { $id: 'CreateApiKey', description: 'A new API key.' },
);

export const CreatedApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: 'The key itself. Store it: no other reply shows it.' }) },
  { $id: 'CreatedApiKey', description: 'The created API key, with the key itself.' },
);
export const UpdateApiKey = Type.Object(
  {
    name: Type.Optional(Name),
    expiresAt: Type.Optional(
      Nullable(Type.String({ format: 'date-time', maxLength: 64, description: 'Null for a key that never expires.' })),
    ),
    attributes: Type.Optional(Attributes),
    resources: Type.Optional(Resources),
  },
  { $id: 'UpdateApiKey', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateApiKey = Static<typeof UpdateApiKey>;

export const RotateApiKey = Type.Object(
  {
    overlapHours: Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 0,
      description: 'How long the current value keeps working.',
    }),
  },
  { $id: 'RotateApiKey', description: 'How long the current value keeps working.' },
);

export type CreatedApiKey = Static<typeof CreatedApiKey>;
