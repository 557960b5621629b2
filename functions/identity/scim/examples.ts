import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS } from '../../platform/example-values.ts';
import { GROUP_URN, USER_URN } from './protocol/attributes.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './protocol/discovery.ts';
import { listReply } from './protocol/list.ts';
import type * as routes from './routes.ts';

const BASE_URL = 'https://analytics.example.com/api/scim/v2';

const input = {
  schemas: [USER_URN],
  userName: 'grace@example.com',
  externalId: '00u1a2b3c4',
  name: { givenName: 'Grace', familyName: 'Hopper' },
  displayName: 'Grace Hopper',
  emails: [{ value: 'grace@example.com', type: 'work', primary: true }],
  active: true,
};

const meta = (resourceType: string, path: string) => ({
  resourceType,
  created: CREATED_AT,
  lastModified: CREATED_AT,
  location: `${BASE_URL}/${path}`,
});

const user = { ...input, id: IDS.colleague, meta: meta('User', `Users/${IDS.colleague}`) };

const groupInput = { schemas: [GROUP_URN], displayName: 'Finance', externalId: '00g9z8y7x6' };
const member = {
  value: IDS.colleague,
  type: 'User',
};
const group = { ...groupInput, id: IDS.group, members: [member], meta: meta('Group', `Groups/${IDS.group}`) };

const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const search = (filter: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
  filter,
  startIndex: 1,
  count: 10,
});

export const examples: ExamplesOf<typeof routes> = {
  scimListUsers: { reply: listReply([user], 1, 1) },
  scimCreateUser: { request: input, reply: user },
  scimGetUser: { reply: user },
  scimReplaceUser: { request: input, reply: user },
  scimPatchUser: {
    request: { schemas: [PATCH_URN], Operations: [{ op: 'replace', path: 'active', value: false }] },
    reply: { ...user, active: false },
  },
  scimDeleteUser: {},
  scimSearchUsers: { request: search('userName eq "grace@example.com"'), reply: listReply([user], 1, 1) },
  scimListGroups: { reply: listReply([group], 1, 1) },
  scimCreateGroup: { request: { ...groupInput, members: [{ value: IDS.colleague }] }, reply: group },
  scimGetGroup: { reply: group },
  scimReplaceGroup: { request: { ...groupInput, members: [{ value: IDS.colleague }] }, reply: group },
  scimPatchGroup: {
    request: {
      schemas: [PATCH_URN],
      Operations: [{ op: 'add', path: 'members', value: [{ value: IDS.colleague }] }],
    },
    reply: group,
  },
  scimDeleteGroup: {},
  scimSearchGroups: { request: search('displayName eq "Finance"'), reply: listReply([group], 1, 1) },
  scimSearch: { request: search('externalId eq "00u1a2b3c4"'), reply: listReply([user], 1, 1) },
  scimGetConfig: { reply: serviceProviderConfig(BASE_URL) },
  scimListResourceTypes: { reply: listReply(resourceTypes(BASE_URL), 2, 1) },
  scimGetResourceType: { reply: resourceTypes(BASE_URL)[0] },
  scimListSchemas: { reply: listReply(schemas(BASE_URL), 3, 1) },
  scimGetSchema: { reply: schemas(BASE_URL)[2] },
};
