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

export async function tokenOf(api: Api, { email, password }: { email: string; password: string }): Promise<string> {
  const login = { email, password, workspaceId: api.workspaceId };
  return (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken;
}
