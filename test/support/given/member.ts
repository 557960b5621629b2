import { expect } from 'vitest';
import type { Api } from '../api.ts';

export interface GivenMember {
  userId: string;
  email: string;
  password: string;
  token: string;
}

/** A new person as a member of the workspace, signed in. */
export async function givenMember(api: Api, role = 'viewer'): Promise<GivenMember> {
  const person = { email: `new-${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
  const added = await api.as('owner').post('/api/workspaces/members', { ...person, name: 'New', role });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  return { ...person, userId: added.body.userId, token: await tokenOf(api, person) };
}

/** A token of a sign-in as browsers have it, whose refresh token is in a cookie. */
export async function browserTokenOf(
  api: Api,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const anonymous = api.as('anonymous');
  const { body } = await anonymous.post('/api/auth/login', { email, password, workspaceId: api.workspaceId });
  return (await anonymous.post('/api/d/session', { refreshToken: body.refreshToken })).body.accessToken;
}

export async function tokenOf(api: Api, { email, password }: { email: string; password: string }): Promise<string> {
  const login = { email, password, workspaceId: api.workspaceId };
  return (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken;
}
