import type { TProperties } from 'typebox';
import * as Type from 'typebox';

/** Shapes of SCIM for the API reference. Identity providers send more, so every object is open. */
const Open = <P extends TProperties>(properties: P, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { ...options, additionalProperties: true });

const text = (description: string, example?: string) =>
  Type.Optional(
    Type.String({ description, maxLength: 1024, ...(example === undefined ? {} : { examples: [example] }) }),
  );

const Schemas = Type.Optional(
  Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100, description: 'The URNs of the schemas.' }),
);

const Meta = Open(
  {
    resourceType: Type.String(),
    created: Type.Optional(Type.String()),
    lastModified: Type.Optional(Type.String()),
    location: Type.String(),
  },
  { $id: 'ScimMeta', description: 'The type, times and address of a resource.' },
);

const Plural = (description: string) =>
  Type.Optional(
    Type.Array(
      Open({
        value: Type.Optional(Type.String({ maxLength: 1024 })),
        type: Type.Optional(Type.String({ maxLength: 1024 })),
        primary: Type.Optional(Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })])),
      }),
      { maxItems: 20, description },
    ),
  );

const userAttributes = {
  externalId: text('The id at the identity provider, unique within the company.'),
  name: Type.Optional(
    Open({
      formatted: text('The whole name.'),
      givenName: text('The given name.'),
      familyName: text('The family name.'),
    }),
  ),
  displayName: text('The name that other members see.'),
  active: Type.Optional(
    Type.Union([Type.Boolean(), Type.String({ maxLength: 5 })], { description: 'Whether the person may sign in.' }),
  ),
  emails: Plural('Contact addresses.'),
  phoneNumbers: Plural('Phone numbers.'),
};

const userName = Type.String({
  maxLength: 254,
  description: 'The name to sign in with, usually an email address; unique, ignoring case.',
});

export const ScimUserInput = Open(
  { schemas: Schemas, userName, ...userAttributes },
  { $id: 'ScimUserInput', description: 'A user to create or replace (RFC 7643). Unknown attributes are ignored.' },
);

export const ScimUser = Open(
  { schemas: Type.Array(Type.String()), id: Type.String(), userName: Type.Optional(userName), ...userAttributes },
  { $id: 'ScimUser', description: 'A user of the company (RFC 7643), with the attributes that the request asks for.' },
);

const Members = Type.Optional(
  Type.Array(
    Open({
      value: Type.Optional(Type.String({ maxLength: 1024, description: 'The id of the user.' })),
      display: text('The name of the user.'),
    }),
    { maxItems: 50_000, description: 'The users in the group.' },
  ),
);

const groupAttributes = {
  externalId: text('The id at the identity provider, unique within the workspace.'),
  members: Members,
};

const displayName = Type.String({ maxLength: 200, description: 'The name; unique, ignoring case.' });

export const ScimGroupInput = Open(
  { schemas: Schemas, displayName, ...groupAttributes },
  { $id: 'ScimGroupInput', description: 'A group to create or replace (RFC 7643).' },
);

export const ScimGroup = Open(
  {
    schemas: Type.Array(Type.String()),
    id: Type.String(),
    displayName: Type.Optional(displayName),
    ...groupAttributes,
  },
  { $id: 'ScimGroup', description: "A group of the token's workspace (RFC 7643)." },
);

export const ScimPatch = Open(
  {
    schemas: Schemas,
    Operations: Type.Array(
      Open({
        op: Type.String({ maxLength: 16, description: '`add`, `replace` or `remove`, in any case.' }),
        path: text('The attribute, such as `emails[type eq "work"].value`.'),
        value: Type.Optional(Type.Unknown({ description: 'The value; without a path an object of attributes.' })),
      }),
      { maxItems: 1000, description: 'Applied in order, all or none.' },
    ),
  },
  { $id: 'ScimPatch', description: 'Changes of a resource (RFC 7644, section 3.5.2).' },
);

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100, description }));

export const ScimSearch = Open(
  {
    schemas: Schemas,
    filter: Type.Optional(Type.String({ maxLength: 4096, description: 'Such as `userName eq "ada@example.com"`.' })),
    attributes: names('Only these attributes.'),
    excludedAttributes: names('All attributes but these.'),
    startIndex: Type.Optional(Type.Integer({ description: 'The place of the first result, from 1.' })),
    count: Type.Optional(Type.Integer({ description: 'The maximum number of results; at most 200.' })),
  },
  { $id: 'ScimSearch', description: 'A search (RFC 7644, section 3.4.3).' },
);

const listOf = (resource: ReturnType<typeof Open>, $id: string, description: string) =>
  Open(
    {
      schemas: Type.Array(Type.String()),
      totalResults: Type.Integer(),
      startIndex: Type.Integer(),
      itemsPerPage: Type.Integer(),
      Resources: Type.Array(resource),
    },
    { $id, description },
  );

const Resource = (name: string, description: string) =>
  Open({ schemas: Type.Array(Type.String()), meta: Meta }, { $id: name, description });

export const ScimResource = Open(
  { schemas: Type.Array(Type.String()), id: Type.String() },
  { $id: 'ScimResource', description: 'A user or a group.' },
);
export const ScimConfig = Resource('ScimServiceProviderConfig', 'What the SCIM service supports.');
export const ScimResourceType = Resource('ScimResourceType', 'A type of resource of the SCIM service.');
export const ScimSchema = Resource('ScimSchema', 'A schema with its attributes.');

export const ScimUserList = listOf(ScimUser, 'ScimUserList', 'A page of users.');
export const ScimGroupList = listOf(ScimGroup, 'ScimGroupList', 'A page of groups.');
export const ScimResourceList = listOf(ScimResource, 'ScimResourceList', 'A page of users and groups.');
export const ScimResourceTypeList = listOf(ScimResourceType, 'ScimResourceTypeList', 'The types of resources.');
export const ScimSchemaList = listOf(ScimSchema, 'ScimSchemaList', 'The schemas.');

const attributes = Type.Optional(
  Type.String({ maxLength: 4096, description: 'Only these attributes, separated by commas.' }),
);
const excludedAttributes = Type.Optional(
  Type.String({
    maxLength: 4096,
    description: 'All attributes but these, separated by commas: `members`, for example.',
  }),
);

export const ScimSelectionQuery = Open({ attributes, excludedAttributes });

export const ScimListQuery = Open({
  filter: Type.Optional(
    Type.String({ maxLength: 4096, description: 'Comparisons with `eq`, joined by `and`, and value paths.' }),
  ),
  attributes,
  excludedAttributes,
  startIndex: Type.Optional(Type.Integer({ description: 'The place of the first result, from 1.' })),
  count: Type.Optional(
    Type.Integer({
      description: 'The maximum number of results: 100 when absent, at most 200. 0 asks for the total only.',
    }),
  ),
});

const idOf = (record: string) =>
  Type.Object({ id: Type.String({ maxLength: 200, description: `The id of the ${record}.` }) });

export const ScimUserParams = idOf('user');
export const ScimGroupParams = idOf('group');
export const ScimSchemaParams = idOf('schema, a URN');
export const ScimTypeParams = idOf('type: `User` or `Group`');
