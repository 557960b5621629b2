import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { inject, test } from 'vitest';
import type { CreatedOwner } from '../../functions/workers/access/create-owner/handler.ts';
import { createOwner, operatorClients } from '../../infra/operator.ts';
import type { Role } from '../../shared/platform/auth/permissions.ts';
import type { Key } from '../../shared/platform/storage/keys.ts';
import { openTable, type Table } from '../../shared/platform/storage/table.ts';
import { assertConforms, type Reply } from './conformance.ts';
import { call } from './http.ts';

/** The credentials of the local cloud, which verifies the signatures of presigned URLs alone. */
export const LOCAL = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Who a test speaks as. The stranger is the owner of another company; nobody sends no credentials. */
export type Actor = 'owner' | Role | 'stranger' | 'nobody';

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
}

export interface Api {
  readonly endpoint: string;
  readonly workspaceId: string;
  readonly companyId: string;
  readonly table: Table;
  as(actor: Actor | { token: string }): Caller;
  token(actor: Exclude<Actor, 'nobody'>): string;
  /** The item under a key, as stored. */
  stored(key: Key): Promise<Record<string, unknown> | undefined>;
  password(actor: 'owner' | 'editor' | 'viewer'): { email: string; password: string };
}

interface Company {
  owner: CreatedOwner;
  sessions: Record<'owner' | 'editor' | 'viewer' | 'stranger', Session>;
}

interface Session {
  email: string;
  password: string;
  userId: string;
  refreshToken: string;
}

/** A company with people of every role, and a stranger's: made once per worker, because passwords are slow on purpose. */
let company: Promise<Company> | undefined;

export const it = test.extend<{ api: Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture needs none of the others
  api: async ({}, use) => {
    const endpoint = inject('endpoint');
    company ??= makeCompany(endpoint);
    await use(await freshWorkspace(endpoint, await company));
  },
});

/** For tests that change their company itself: it is one of their own. */
export const itWithOwnCompany = test.extend<{ api: Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: the fixture needs none of the others
  api: async ({}, use) => {
    const endpoint = inject('endpoint');
    await use(await freshWorkspace(endpoint, await makeCompany(endpoint)));
  },
});

async function makeCompany(endpoint: string): Promise<Company> {
  const password = () => randomBytes(12).toString('base64url');
  const tag = randomBytes(6).toString('hex');
  const make = async (name: string) => {
    const person = { email: `${name}-${tag}@example.com`, password: password() };
    const owner = await createOwner(operatorClients(endpoint), 'AnalyticsRuntime-create-owner', {
      company: name,
      workspace: 'First',
      name,
      ...person,
    });
    return { owner, ...person };
  };
  const [first, stranger] = await Promise.all([make('owner'), make('stranger')]);
  const [ownerSession, strangerSession] = await Promise.all([signIn(endpoint, first), signIn(endpoint, stranger)]);
  const join = async (role: 'editor' | 'viewer') => {
    const person = { email: `${role}-${tag}@example.com`, password: password() };
    const body = { ...person, name: role, role };
    const reply = await call(endpoint, 'POST', '/api/workspaces/members', { token: ownerSession.accessToken, body });
    if (reply.status !== 201) throw new Error(`could not add the ${role}: ${JSON.stringify(reply.body)}`);
    const session = await signIn(endpoint, person);
    return { ...person, userId: reply.body.userId as string, refreshToken: session.refreshToken };
  };
  const [editor, viewer] = await Promise.all([join('editor'), join('viewer')]);
  return {
    owner: first.owner,
    sessions: {
      owner: { ...first, userId: first.owner.userId, refreshToken: ownerSession.refreshToken },
      stranger: { ...stranger, userId: stranger.owner.userId, refreshToken: strangerSession.refreshToken },
      editor,
      viewer,
    },
  };
}

/** A new workspace with everybody in it, and another with the stranger: no test sees another's rows. */
async function freshWorkspace(endpoint: string, made: Company): Promise<Api> {
  const { sessions } = made;
  const enter = async (who: keyof typeof sessions, workspaceId?: string): Promise<string> => {
    const body = { refreshToken: sessions[who].refreshToken, ...(workspaceId ? { workspaceId } : {}) };
    const reply = await call(endpoint, 'POST', '/api/auth/refresh', { body });
    if (reply.status !== 200) throw new Error(`could not sign ${who} in: ${JSON.stringify(reply.body)}`);
    sessions[who].refreshToken = reply.body.refreshToken;
    return reply.body.accessToken;
  };
  const newWorkspace = async (token: string): Promise<string> =>
    (await call(endpoint, 'POST', '/api/workspaces', { token, body: { name: 'Test' } })).body.id;
  const stranger = enter('stranger')
    .then(newWorkspace)
    .then((id) => enter('stranger', id));
  const workspaceId = await newWorkspace(await enter('owner', made.owner.workspaceId));
  const owner = await enter('owner', workspaceId);
  for (const role of ['editor', 'viewer'] as const) {
    await call(endpoint, 'POST', '/api/workspaces/members', {
      token: owner,
      body: { email: sessions[role].email, role },
    });
  }
  const [editor, viewer] = await Promise.all([enter('editor', workspaceId), enter('viewer', workspaceId)]);
  const tokens = { owner, admin: owner, editor, viewer, stranger: await stranger };

  const table = openTable(await tableName(endpoint), new DynamoDBClient({ endpoint, ...LOCAL }));
  return {
    endpoint,
    workspaceId,
    companyId: made.owner.companyId,
    table,
    token: (actor) => tokens[actor],
    password: (actor) => ({ email: sessions[actor].email, password: sessions[actor].password }),
    as: (actor) =>
      caller(endpoint, typeof actor === 'object' ? actor.token : actor === 'nobody' ? undefined : tokens[actor]),
    stored: async (key) =>
      (await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item,
  };
}

function caller(endpoint: string, token: string | undefined): Caller {
  const send: Caller['send'] = async (method, path, options = {}) => {
    const reply = await call(endpoint, method, path, { token, ...options });
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

async function signIn(endpoint: string, person: { email: string; password: string }) {
  const { email, password } = person;
  const reply = await call(endpoint, 'POST', '/api/auth/login', { body: { email, password } });
  if (reply.status !== 200) throw new Error(`could not sign in: ${JSON.stringify(reply.body)}`);
  return reply.body as { accessToken: string; refreshToken: string };
}

let knownTable: Promise<string> | undefined;
function tableName(endpoint: string): Promise<string> {
  knownTable ??= (async () => {
    const { ListTablesCommand } = await import('@aws-sdk/client-dynamodb');
    const { TableNames } = await new DynamoDBClient({ endpoint, ...LOCAL }).send(new ListTablesCommand({}));
    return TableNames!.find((name) => name.startsWith('AnalyticsData'))!;
  })();
  return knownTable;
}
