import { describe, expect } from 'vitest';
import { OBJECT_KINDS, type ObjectType } from '../../../../shared/domains/tenancy/grants/index.ts';
import {
  isPermitted,
  KEY_SCOPES,
  PERMISSIONS,
  ROLES,
  switchesOf,
} from '../../../../shared/platform/auth/permissions.ts';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

const guarded = ROUTES.filter((route) => route.permission !== 'public');

interface Caller {
  name: string;
  token: string;
  may(route: Route): boolean;
}

/**
 * A request with an unknown parameter: a caller with the permission gets 400, and nothing happens. So the whole matrix
 * runs without effects.
 */
function probe(api: Api, token: string, route: Route, path = somePath(route)) {
  const unknown = `${path}${path.includes('?') ? '&' : '?'}no-such-parameter=1`;
  return api.as({ token }).send(route.method, unknown, route.body ? { text: '{}' } : {});
}

/** With the settings of a new workspace. */
const permits = (caller: Parameters<typeof isPermitted>[1]) => (route: Route) =>
  route.permission !== 'public' &&
  route.permission !== 'scim' &&
  isPermitted(route.permission, { ...caller, switches: switchesOf({}) });

/** People by role, keys by scope and role: of a company admin, and of admins who have become something less. */
async function callers(api: Api): Promise<Caller[]> {
  const people = await Promise.all(
    ROLES.map(async (role) => {
      const caller = { role, companyRole: 'member', scope: null } as const;
      return { name: role, token: await api.token(role), may: permits(caller) };
    }),
  );
  const companyAdmin = { role: 'admin', companyRole: 'company_admin' } as const;
  const owner = {
    name: 'company admin',
    token: await api.token('owner'),
    may: permits({ ...companyAdmin, scope: null }),
  };
  const keys: Caller[] = [];
  for (const scope of KEY_SCOPES) {
    const token = await newKey(api, await api.token('owner'), scope);
    keys.push({ name: `key ${scope}`, token, may: permits({ ...companyAdmin, scope }) });
  }
  for (const role of ['viewer', 'editor'] as const) {
    const { userId, token } = await givenMember(api, 'admin');
    const key = await newKey(api, token, 'admin');
    await api.as('owner').patch(`/api/workspaces/members/${userId}`, { role });
    keys.push({
      name: `key admin of a ${role}`,
      token: key,
      may: permits({ role, companyRole: 'member', scope: 'admin' }),
    });
  }
  return [...people, owner, ...keys];
}

async function newKey(api: Api, token: string, scope: string): Promise<string> {
  const made = await api.as({ token }).post('/api/api-keys', { name: scope, scope });
  return made.body.key;
}

/** The routes for which a grant on an object takes the place of a role, by the kind of object. */
const GRANTABLE = Map.groupBy(
  guarded.filter(({ grant }) => grant),
  (route) => route.grant!.type as ObjectType,
);

/** The path of a route on the object, with ids that belong to nothing for its parts. */
const pathOn = (route: Route, id: string) =>
  somePath({ ...route, path: route.path.replace(/\{\w+\}/, id) as Route['path'] });

/** One object of every kind, made by the owner, and another one that is not granted. */
async function objects(api: Api): Promise<Record<ObjectType, [granted: string, other: string]>> {
  const { definition, table } = await givenSalesModel(api);
  const bodies: Record<ObjectType, object> = {
    'saved-query': { sql: 'SELECT 1 AS a' },
    model: { sourceId: 'datasets' },
    dashboard: {},
    report: {},
    metric: definition,
    blend: {
      ...{ leftTableId: table.id, leftAlias: 'one', rightTableId: table.id, rightAlias: 'other' },
      keys: [{ left: 'region', right: 'region' }],
    },
    story: {},
  };
  const make = async (type: ObjectType, name: string) => {
    const made = await api
      .as('owner')
      .post(OBJECT_KINDS[type].path, type === 'story' ? { title: name } : { ...bodies[type], name });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.id as string;
  };
  const entries = TYPES.map(async (type) => [type, [await make(type, 'granted'), await make(type, 'other')]] as const);
  return Object.fromEntries(await Promise.all(entries)) as unknown as Record<ObjectType, [string, string]>;
}

const TYPES = Object.keys(OBJECT_KINDS) as ObjectType[];

async function setAccess(api: Api, type: ObjectType, id: string, grantee: string, level: string): Promise<void> {
  const body = type === 'dashboard' || type === 'story' ? { permission: level } : { level };
  const reply = await api.as('owner').put(`${OBJECT_KINDS[type].path}/${id}/access/${grantee}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
}

/**
 * Viewers with grants on the first object of every kind, also by a group, and keys of one; who of them may do what
 * editors do.
 */
async function granted(api: Api, made: Record<ObjectType, [granted: string, other: string]>) {
  const [editor, reader, colleague] = [await givenMember(api), await givenMember(api), await givenMember(api)];
  const { body: group } = await api.as('owner').post('/api/groups', { name: 'Finance' });
  await api.as('owner').put(`/api/groups/${group.id}/members/${colleague.userId}`);
  // Keys are made by admins; this one becomes a viewer.
  const former = await givenMember(api, 'admin');
  const [read, write] = [await newKey(api, former.token, 'read'), await newKey(api, former.token, 'read/write')];
  await api.as('owner').patch(`/api/workspaces/members/${former.userId}`, { role: 'viewer' });
  for (const type of TYPES) {
    const [id] = made[type];
    await setAccess(api, type, id, `user/${editor.userId}`, 'editor');
    await setAccess(api, type, id, `user/${reader.userId}`, 'viewer');
    await setAccess(api, type, id, `group/${group.id}`, 'editor');
    await setAccess(api, type, id, `user/${former.userId}`, 'editor');
  }
  return [
    { name: 'a viewer with the grant', token: editor.token, may: true },
    { name: 'a viewer in a group with the grant', token: colleague.token, may: true },
    { name: 'a viewer with the grant to read', token: reader.token, may: false },
    { name: 'a key read/write of a viewer with the grant', token: write, may: true },
    { name: 'a key read of a viewer with the grant', token: read, may: false },
  ];
}

describe('the matrix of permissions', () => {
  it('lets a grant take the place of a role, on its object alone and never beyond the scope of a key', async ({
    api,
  }) => {
    const made = await objects(api);
    const callers = await granted(api, made);
    expect(TYPES.filter((type) => !GRANTABLE.has(type))).toEqual([]);
    const unlike: string[] = [];
    for (const type of TYPES) {
      const [id, other] = made[type];
      const requests = [
        ...callers.map((caller) => ({ caller, id, expected: caller.may ? 400 : 403 })),
        { caller: callers[0]!, id: other, expected: 403 },
      ];
      for (const route of GRANTABLE.get(type)!) {
        const replies = await Promise.all(
          requests.map(({ caller, id }) => probe(api, caller.token, route, pathOn(route, id))),
        );
        for (const [index, { status }] of replies.entries()) {
          const { caller, expected } = requests[index]!;
          if (status !== expected)
            unlike.push(`${route.operationId} as ${caller.name}: ${status} instead of ${expected}`);
        }
      }
    }
    expect(unlike).toEqual([]);
  });

  it('lets every caller do what the declaration permits, and nothing else', async ({ api }) => {
    const unlike: string[] = [];
    for (const caller of await callers(api)) {
      for (const route of guarded) {
        const { status, body } = await probe(api, caller.token, route);
        const expected = caller.may(route) ? [400, 'VALIDATION_FAILED'] : [403, 'FORBIDDEN'];
        if (status !== expected[0] || body.code !== expected[1])
          unlike.push(
            `${route.operationId} as ${caller.name}: ${status} ${body.code} instead of ${expected.join(' ')}`,
          );
      }
    }
    expect(unlike).toEqual([]);
  });

  it('opens SQL to viewers, and within their scope to keys of viewers, as long as an admin allows it', async ({
    api,
  }) => {
    const [viewer, former] = [await givenMember(api), await givenMember(api, 'admin')];
    const [read, write] = [await newKey(api, former.token, 'read'), await newKey(api, former.token, 'read/write')];
    await api.as('owner').patch(`/api/workspaces/members/${former.userId}`, { role: 'viewer' });
    const set = (viewersMayQuery: boolean) => api.as('owner').patch('/api/workspaces/current', { viewersMayQuery });
    expect((await api.as('viewer').get('/api/workspaces/current')).body.viewersMayQuery).toBe(false);
    expect(await set(true)).toMatchObject({ status: 200, body: { viewersMayQuery: true } });

    const token = await tokenOf(api, viewer);
    for (const route of guarded.filter(({ permission }) => permission === 'query:run')) {
      const statuses = [token, write, read].map(async (each) => (await probe(api, each, route)).status);
      expect(await Promise.all(statuses), route.operationId).toEqual([400, 400, 403]);
    }
    const sql = { sql: 'SELECT 1 AS one' };
    expect((await api.as({ token }).post('/api/query', sql)).body.rows).toEqual([[1]]);
    expect((await api.as({ token }).post('/api/saved-queries', { name: 'mine', ...sql })).status).toBe(403);
    expect((await api.as({ token }).patch('/api/workspaces/current', { viewersMayQuery: true })).status).toBe(403);

    await set(false);
    // Another sign-in: functions trust for some seconds what they have seen.
    expect((await api.as({ token: await tokenOf(api, viewer) }).post('/api/query', sql)).status).toBe(403);
  });

  it('lets the token and the key of a former member do nothing', async ({ api }) => {
    const member = await givenMember(api, 'admin');
    const key = await newKey(api, member.token, 'admin');
    // Another sign-in: functions may trust for some seconds what they have seen already.
    const token = await tokenOf(api, member);
    expect((await api.as('owner').delete(`/api/workspaces/members/${member.userId}`)).status).toBe(204);
    for (const route of guarded)
      for (const credential of [token, key])
        expect(await probe(api, credential, route), route.operationId).toMatchObject({
          status: 401,
          body: { code: 'UNAUTHENTICATED' },
        });
  });

  it('is used as a whole', () => {
    const used = new Set<string>(guarded.map((route) => route.permission));
    // Publishing asks for it only where checks are overridden.
    used.add('models:override');
    // So does publishing a dashboard.
    used.add('dashboards:override');
    // And a story.
    used.add('stories:override');
    // Alerts ask for it only where they notify others.
    used.add('alerts:manage');
    // And for this one where they share rows.
    used.add('alerts:share');
    // Terms ask for it where they are approved.
    used.add('catalog:approve');
    expect(Object.keys(PERMISSIONS).filter((permission) => !used.has(permission))).toEqual([]);
  });
});
