/** Attributes of SCIM resources (RFC 7643, section 7), as the schemas of this server publish them. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'integer' | 'reference' | 'dateTime' | 'complex';
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite' | 'immutable';
  returned: 'always' | 'default' | 'request';
  uniqueness: 'none' | 'server';
  canonicalValues?: readonly string[];
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

const plain = {
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

const text = (name: string, description: string, options: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...plain,
  ...options,
});

const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  options: Partial<Attribute> = {},
): Attribute => ({ name, type: 'complex', description, ...plain, subAttributes, ...options });

const flag = (name: string, description: string): Attribute => ({ name, type: 'boolean', description, ...plain });

const reference = (name: string, description: string, options: Partial<Attribute> = {}): Attribute =>
  text(name, description, { type: 'reference', caseExact: true, ...options });

/** Values with a label, a type and one that is primary. */
const plural = (name: string, what: string, types: readonly string[]): Attribute =>
  complex(
    name,
    `The ${what} of the user.`,
    [
      text('value', `The ${what.replace(/e?s$/, '')}.`),
      text('display', 'A label for people.'),
      text('type', 'What it is for.', { canonicalValues: types }),
      flag('primary', 'Whether it is the preferred one; true at most once.'),
    ],
    { multiValued: true },
  );

const readOnly = { mutability: 'readOnly' } as const;

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const USER_SCHEMA: Schema = {
  id: USER_URN,
  name: 'User',
  description: 'A person with an account in the company.',
  attributes: [
    text('userName', 'The name that the person signs in with, usually an email address.', {
      required: true,
      uniqueness: 'server',
    }),
    complex('name', 'The parts of the name.', [
      text('formatted', 'The whole name.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle names.'),
      text('honorificPrefix', 'A title before the name.'),
      text('honorificSuffix', 'A suffix after the name.'),
    ]),
    text('displayName', 'The name that other members see.'),
    text('nickName', 'What the person is usually called.'),
    text('title', 'The job title.'),
    text('userType', 'The relation to the company, such as `Employee`.'),
    text('preferredLanguage', 'Languages in order of preference, as in `Accept-Language`.'),
    text('locale', 'For formats of dates and numbers, such as `de-CH`.'),
    text('timezone', 'An IANA time zone, such as `Europe/Zurich`.'),
    flag('active', 'Whether the person may sign in and use API keys.'),
    plural('emails', 'email addresses', ['work', 'home', 'other']),
    plural('phoneNumbers', 'phone numbers', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    complex(
      'addresses',
      'The postal addresses of the user.',
      [
        text('formatted', 'The whole address.'),
        text('streetAddress', 'Street and number.'),
        text('locality', 'The city.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country.'),
        text('type', 'What it is for.', { canonicalValues: ['work', 'home', 'other'] }),
        flag('primary', 'Whether it is the preferred one; true at most once.'),
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      "The groups of the person in the token's workspace. To change them, change the groups.",
      [
        text('value', 'The id of the group.', { ...readOnly, caseExact: true }),
        reference('$ref', 'The address of the group.', { ...readOnly, referenceTypes: ['Group'] }),
        text('display', 'The name of the group.', readOnly),
        text('type', 'Always `direct`.', { ...readOnly, canonicalValues: ['direct'] }),
      ],
      { multiValued: true, ...readOnly },
    ),
  ],
};

export const ENTERPRISE_SCHEMA: Schema = {
  id: ENTERPRISE_URN,
  name: 'EnterpriseUser',
  description: 'What companies know about their employees.',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost center.'),
    text('organization', 'The organization.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    complex('manager', 'The manager of the person.', [
      text('value', 'The id of the manager.', { caseExact: true }),
      reference('$ref', 'The address of the manager.', { referenceTypes: ['User'] }),
      text('displayName', 'The name of the manager.', readOnly),
    ]),
  ],
};

export const GROUP_SCHEMA: Schema = {
  id: GROUP_URN,
  name: 'Group',
  description: "A group of people in the token's workspace.",
  attributes: [
    text('displayName', 'The name, unique within the workspace.', { required: true, uniqueness: 'server' }),
    complex(
      'members',
      'The people in the group.',
      [
        text('value', 'The id of the user.', { mutability: 'immutable', caseExact: true }),
        reference('$ref', 'The address of the user.', { mutability: 'immutable', referenceTypes: ['User'] }),
        // Only on request: clients compare the members of a reply with those that they have sent.
        text('display', 'The name of the user.', { ...readOnly, returned: 'request' }),
        text('type', 'Always `User`.', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
      { multiValued: true },
    ),
  ],
};

/** Attributes of every resource, which no schema lists. */
const COMMON: readonly Attribute[] = [
  text('schemas', 'The schemas of the resource.', { ...readOnly, multiValued: true, returned: 'always' }),
  text('id', 'The id.', { ...readOnly, caseExact: true, returned: 'always' }),
  text('externalId', 'The id at the identity provider.', { caseExact: true }),
  complex(
    'meta',
    'Facts about the resource.',
    [
      text('resourceType', 'The type of the resource.', readOnly),
      text('created', 'When it was created.', { ...readOnly, type: 'dateTime' }),
      text('lastModified', 'When it was changed last.', { ...readOnly, type: 'dateTime' }),
      reference('location', 'Its address.', readOnly),
    ],
    readOnly,
  ),
];

/** A type of resource with everything that its paths can name. */
export interface ResourceType {
  name: 'User' | 'Group';
  endpoint: 'Users' | 'Groups';
  description: string;
  schema: Schema;
  extensions: readonly Schema[];
}

export const USER_TYPE: ResourceType = {
  name: 'User',
  endpoint: 'Users',
  description: 'People of the company',
  schema: USER_SCHEMA,
  extensions: [ENTERPRISE_SCHEMA],
};

export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  endpoint: 'Groups',
  description: "Groups of the token's workspace",
  schema: GROUP_SCHEMA,
  extensions: [],
};

/** Attribute names ignore case (RFC 7643, section 2.1). */
export function attributeNamed(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}

/** The attributes at the top of a resource. */
export const coreAttributes = (type: ResourceType): readonly Attribute[] => [...COMMON, ...type.schema.attributes];
