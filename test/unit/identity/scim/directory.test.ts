import { beforeAll, beforeEach, expect, it } from 'vitest';
import { provisionedUsers, userItems } from '../../../../shared/domains/identity/provisioning/index.ts';
import {
  createCompany,
  directoryKey,
  putUser,
  type UserRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const [companyId, workspaceId] = [newId(), newId()];
const at = '2026-03-01T10:00:00.000Z';
const workspace = { id: workspaceId, companyId, name: 'First', createdAt: at, updatedAt: at, revision: 1 };
const directory = directoryKey(companyId, '', '').pk;
/** Two functions, each with its own cache. */
let reader: Table;
let writer: Table;
let reads = 0;
const expected: string[] = [];

beforeAll(async () => {
  reader = local.open();
  writer = local.open();
  reader.db.middlewareStack.add(
    (next) => (args) => {
      if (JSON.stringify(args.input).includes(`"${directory}"`)) reads += 1;
      return next(args);
    },
    { step: 'initialize' },
  );
  const owner = person('company_admin');
  await createCompany(writer, { companyId, companyName: 'Acme', workspace, owner });
  expected.push(owner.id);
});

beforeEach(async () => {
  await listed();
  reads = 0;
});

const listed = () => provisionedUsers(reader, companyId).ids();

function person(companyRole: UserRecord['companyRole'] = 'member'): UserRecord {
  const id = newId();
  const email = `${id}@example.com`;
  return { id, companyId, companyRole, email, name: 'Ada', active: true, createdAt: at, updatedAt: at };
}

const wanted = (user: UserRecord) => ({
  userName: user.email,
  name: user.name,
  isActive: true,
  externalId: null,
  contacts: [],
  resource: { active: true },
});

async function givenUser(): Promise<UserRecord> {
  const user = person();
  const { parts } = userItems(writer).create(user, wanted(user), workspace);
  await provisionedUsers(writer, companyId).write(parts, {
    action: 'user.created',
    object: { type: 'user', id: user.id, name: null },
  });
  expected.push(user.id);
  return user;
}

const inOrder = () => expected.toSorted();

it('is read once for all pages, however many they are', async () => {
  for (let page = 0; page < 50; page += 1) expect(await listed()).toEqual(inOrder());
  expect(reads).toBe(0);
});

it('has a user whom another function has created, removed and restored a moment ago', async () => {
  const users = provisionedUsers(writer, companyId);
  const object = { type: 'user', id: '', name: null };
  const user = await givenUser();
  expect(await listed()).toEqual(inOrder());

  const removal = userItems(writer).remove((await users.get(user.id))!, new Date());
  await users.write(removal.parts, { action: 'user.removed', object });
  expect(await listed()).toEqual(inOrder().filter((id) => id !== user.id));

  const { removed } = await users.holdersOf(user.email);
  const { parts } = userItems(writer).restore(removed!, wanted(user), workspace, new Date());
  // The membership has ended, which here is not under test.
  const back = parts.filter(({ item }) => !('Put' in item && item.Put?.Item?.entity === 'member'));
  await users.write(back, { action: 'user.restored', object });
  expect(await listed()).toEqual(inOrder());
  expect(reads).toBe(3);
});

it('has people who were added by hand', async () => {
  const added = person();
  await transact(writer, putUser(writer, added));
  expected.push(added.id);
  expect(await listed()).toEqual(inOrder());
});
