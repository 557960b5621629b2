import { beforeAll, expect, it } from 'vitest';
import {
  createGroup,
  patchGroup,
  type SaveGroupDeps,
} from '../../../../functions/identity/scim/use-cases/save-group.ts';
import { provisionedUsers, userItems } from '../../../../shared/domains/identity/provisioning/index.ts';
import { bulkMemberships, groupMemberships, groupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import {
  createCompany,
  putUser,
  readMembers,
  readUser,
  readWorkspace,
  type UserRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const [companyId, workspaceId] = [newId(), newId()];
let table: Table;
let deps: SaveGroupDeps;

beforeAll(async () => {
  table = local.open();
  const at = new Date().toISOString();
  const workspace = { id: workspaceId, companyId, name: 'First', createdAt: at, updatedAt: at, revision: 1 };
  await createCompany(table, { companyId, companyName: 'Acme', workspace, owner: person('company_admin') });
  deps = {
    table,
    now: () => new Date(),
    usersOf: (id) => provisionedUsers(table, id),
    items: userItems(table),
    groups: groupRepository(table),
    memberships: groupMemberships(table),
    bulk: bulkMemberships(table),
    workspaceOf: async (id) => (await readWorkspace(table, id))!,
  };
});

function person(companyRole: UserRecord['companyRole']): UserRecord {
  const [id, at] = [newId(), new Date().toISOString()];
  const email = `${id}@example.com`;
  return { id, companyId, companyRole, email, name: 'Ada', active: true, createdAt: at, updatedAt: at };
}

async function givenUser(): Promise<UserRecord> {
  const user = person('member');
  await transact(table, putUser(table, user));
  return user;
}

const call = (body: Record<string, unknown>, id = '') => ({
  provisioner: { id: newId(), name: 'Entra', companyId, workspaceId },
  params: { id },
  query: {},
  body,
  newId: newId(),
  baseUrl: 'https://example.com/api/scim/v2',
});

const adding = (...ids: string[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }],
});

const hasSeat = async ({ id }: UserRecord) => (await readMembers(table, workspaceId, [id])).has(id);

async function remove({ id }: UserRecord): Promise<void> {
  const users = provisionedUsers(table, companyId);
  const { parts } = userItems(table).remove((await users.get(id))!, new Date());
  await users.write(parts, { action: 'user.removed', object: { type: 'user', id, name: null } });
}

it('gives no seat to a user who is removed meanwhile', async () => {
  const user = await givenUser();
  const group = await createGroup(deps, call({ displayName: newId() }));
  // The user is removed after the request has read it.
  const users = provisionedUsers(table, companyId);
  let removed = false;
  const racing: SaveGroupDeps = {
    ...deps,
    usersOf: () => ({
      ...users,
      async write(parts, change) {
        if (!removed) await remove(user);
        removed = true;
        await users.write(parts, change);
      },
    }),
  };
  await expect(patchGroup(racing, call(adding(user.id), group.id as string))).rejects.toMatchObject({
    code: 'SCIM_INVALID_VALUE',
  });
  expect(await readUser(table, user.id)).toHaveProperty('removedAt');
  expect(await hasSeat(user)).toBe(false);
});
