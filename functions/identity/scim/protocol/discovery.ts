import {
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  GROUP_TYPE,
  type ResourceType,
  type Schema,
  USER_SCHEMA,
  USER_TYPE,
} from './attributes.ts';
import { MAX_COUNT } from './list.ts';
import type { Members } from './values.ts';

const meta = (resourceType: string, location: string) => ({ resourceType, location });

export function serviceProviderConfig(baseUrl: string): Members {
  const unsupported = { supported: false };
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    documentationUri: `${baseUrl.replace(/\/scim\/v2$/, '')}/docs/guides/sso-scim`,
    patch: { supported: true },
    bulk: { ...unsupported, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_COUNT },
    changePassword: unsupported,
    sort: unsupported,
    etag: unsupported,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM token',
        description: 'A token of POST /api/scim/tokens, in the Authorization header.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: meta('ServiceProviderConfig', `${baseUrl}/ServiceProviderConfig`),
  };
}

export const resourceTypes = (baseUrl: string): Members[] =>
  [USER_TYPE, GROUP_TYPE].map((type) => showType(type, baseUrl));

function showType({ name, endpoint, description, schema, extensions }: ResourceType, baseUrl: string): Members {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${endpoint}`,
    description,
    schema: schema.id,
    ...(extensions.length > 0
      ? { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }
      : {}),
    meta: meta('ResourceType', `${baseUrl}/ResourceTypes/${name}`),
  };
}

export const schemas = (baseUrl: string): Members[] =>
  [USER_SCHEMA, ENTERPRISE_SCHEMA, GROUP_SCHEMA].map((schema) => showSchema(schema, baseUrl));

const showSchema = ({ id, name, description, attributes }: Schema, baseUrl: string): Members => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  description,
  attributes,
  meta: meta('Schema', `${baseUrl}/Schemas/${id}`),
});
