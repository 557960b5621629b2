import { describe, expect } from 'vitest';
import { isPermitted, KEY_SCOPES, PERMISSIONS, ROLES } from '../../../shared/platform/auth/permissions.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import { type Api, it } from '../../support/api.ts';
import { givenMember, tokenOf } from '../../support/given/member.ts';
import { ROUTES, somePath } from '../../support/samples.ts';

const guarded = ROUTES.filter((route) => route.permission !== 'public');

interface Caller {
  name: string;
  token: string;
  may(route: Route): boolean;
}

/**
 * A request with an unknown parameter: a caller with the permission gets 400, and nothing happens. So the whole matrix runs
 * without effects.
 */
function probe(api: Api, token: string, route: Route) {
  const path = somePath(route);
  const unknown = `${path}${path.includes('?') ? '&' : '?'}no-such-parameter=1`;
  return api.as({ token }).send(route.method, unknown, route.body ? { text: '{}' } : {});
}

const permits = (caller: Parameters<typeof isPermitted>[1]) => (route: Route) =>
  route.permission !== 'public' && route.permission !== 'scim' && isPermitted(route.permission, caller);

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

describe('the matrix of permissions', () => {
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
  }, 300_000);

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
    // Updating a metric asks for it only where it is certified.
    used.add('metrics:certify');
    expect(Object.keys(PERMISSIONS).filter((permission) => !used.has(permission))).toEqual([]);
  });
});
