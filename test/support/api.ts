import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { test } from 'vitest';
import type { Role } from '../../shared/platform/auth/permissions.ts';
import type { Key } from '../../shared/platform/storage/keys.ts';
import type { Table } from '../../shared/platform/storage/table.ts';
import { Company, type Person } from './company.ts';
import { assertConforms, type Reply } from './conformance.ts';
import { deployedTable } from './deployed-table.ts';
import { call } from './http.ts';
import { deployed } from './setup/ask.ts';

export { LOCAL } from './deployed-table.ts';

/** Who a test speaks as. The stranger is the owner of another company; an anonymous caller sends no credentials. */
export type Actor = 'owner' | Role | 'stranger' | 'anonymous';

export interface Caller {
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  delete(path: string, options?: RequestOptions): Promise<Reply>;
  send(method: string, path: string, options?: RequestOptions & { text?: string }): Promise<Reply>;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** The loopback address that the request comes from. */
  from?: string;
}

export interface Api {
  readonly endpoint: string;
  readonly workspaceId: string;
  readonly companyId: string;
  readonly table: Table;
  /** Editor, viewer and stranger come into being with their first request. */
  as(actor: Actor | { token: string }): Caller;
  token(actor: Exclude<Actor, 'anonymous'>): Promise<string>;
  /** Makes the editor and the viewer members of the workspace, which they otherwise become with their first request. */
  joinAll(): Promise<void>;
  /** The item under a key, as stored. */
  stored(key: Key): Promise<Record<string, unknown> | undefined>;
  password(actor: 'owner' | 'editor' | 'viewer'): Promise<{ email: string; password: string }>;
}

const companies = new Map<string, Company>();

export const it = test.extend<{ api: Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture needs none of the others
  api: async ({}, use) => {
    const { endpoint } = await deployed();
    const known = companies.get(endpoint);
    const company = known && !known.isLarge ? known : new Company(endpoint);
    companies.set(endpoint, company);
    await use(await freshWorkspace(company));
  },
});

/** For tests that change their company itself: it is one of their own. */
export const itWithOwnCompany = test.extend<{ api: Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture needs none of the others
  api: async ({}, use) => {
    await use(await freshWorkspace(new Company((await deployed()).endpoint)));
  },
});

/** A new workspace: no test sees another's rows. */
async function freshWorkspace(company: Company): Promise<Api> {
  const { endpoint } = company;
  const { companyId } = await company.account('owner');
  const workspaceId = await company.newWorkspace('owner');
  const tokens = new Map<Person, Promise<string>>();
  const token = (person: Person): Promise<string> => {
    const entered = tokens.get(person) ?? enter(person);
    tokens.set(person, entered);
    return entered;
  };
  const enter = async (person: Person): Promise<string> => {
    if (person === 'stranger') return company.enter(person, await company.newWorkspace(person));
    if (person !== 'owner') await company.join(person, await token('owner'));
    return company.enter(person, workspaceId);
  };

  const table = await deployedTable(endpoint);
  return {
    endpoint,
    workspaceId,
    companyId,
    table,
    token,
    joinAll: async () => void (await Promise.all([token('editor'), token('viewer')])),
    password: async (actor) => {
      await token(actor);
      const { email, password } = await company.account(actor);
      return { email, password };
    },
    as: (actor) =>
      caller(endpoint, async () =>
        typeof actor === 'object' ? actor.token : actor === 'anonymous' ? undefined : token(actor),
      ),
    stored: async (key) =>
      (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item,
  };
}

function caller(endpoint: string, token: () => Promise<string | undefined>): Caller {
  const send: Caller['send'] = async (method, path, options = {}) => {
    const reply = await call(endpoint, method, path, { token: await token(), ...options });
    assertConforms(method, path, reply, options.text);
    return reply;
  };
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, options: RequestOptions = {}) =>
      send(method, path, { ...options, ...(body === undefined ? {} : { text: JSON.stringify(body) }) });
  return {
    send,
    get: (path, options) => send('GET', path, options),
    delete: (path, options) => send('DELETE', path, options),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
  };
}
