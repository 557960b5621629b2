import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, idParams, Name, Nullable, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const ScimTokenParams = idParams('SCIM token');

export const ShownScimToken = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    prefix: Type.String({ description: 'The start of the token, to recognize it by.' }),
    createdBy: Id,
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  },
  { $id: 'ScimToken', description: 'A credential of an identity provider, which provisions people and groups.' },
);
export type ShownScimToken = Static<typeof ShownScimToken>;

const BaseUrl = Type.String({ description: 'The address of the SCIM service, for the identity provider.' });

export const ScimTokenList = Type.Object(
  { items: Type.Array(ShownScimToken), total: Type.Integer(), baseUrl: BaseUrl },
  { $id: 'ScimTokenList', description: 'The SCIM tokens of the company, and the address of the service.' },
);
export type ScimTokenList = Static<typeof ScimTokenList>;

export const CreateScimToken = Type.Object(
  {
    name: Name,
    workspaceId: Type.String({
      format: 'uuid',
      description: 'The workspace that new people join as viewers, and to which the groups belong.',
    }),
  },
  { $id: 'CreateScimToken', description: 'A new SCIM token.' },
);

export const CreatedScimToken = Type.Object(
  {
    ...ShownScimToken.properties,
    token: Type.String({ description: 'The token itself. Store it: no other reply shows it.' }),
    baseUrl: BaseUrl,
  },
  { $id: 'CreatedScimToken', description: 'The created SCIM token, with the token itself.' },
);
export type CreatedScimToken = Static<typeof CreatedScimToken>;
