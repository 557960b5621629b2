import { expect } from 'vitest';
import type { Api, Caller } from '../api.ts';
import type { Reply } from '../conformance.ts';

export const SCIM = '/api/scim/v2';

export interface GivenProvisioner {
  id: string;
  token: string;
  caller: Caller;
}

/** An identity provider with a token for the workspace. */
export async function givenProvisioner(api: Api, actor: 'owner' | 'stranger' = 'owner'): Promise<GivenProvisioner> {
  const workspaceId =
    actor === 'owner' ? api.workspaceId : (await api.as(actor).get('/api/workspaces/current')).body.id;
  const made = await api.as(actor).post('/api/scim/tokens', { name: 'Entra', workspaceId });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { id: made.body.id, token: made.body.token, caller: api.as({ token: made.body.token }) };
}

export const newUserName = (): string => `p-${crypto.randomUUID()}@example.com`;

/** A user that the identity provider has created. */
export async function givenUser(idp: Caller, more: Record<string, unknown> = {}): Promise<Reply['body']> {
  const userName = (more.userName as string | undefined) ?? newUserName();
  const made = await idp.post(`${SCIM}/Users`, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    externalId: crypto.randomUUID(),
    name: { givenName: 'Ada', familyName: 'Lovelace' },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
    ...more,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

/** A group that the identity provider has created. */
export async function givenScimGroup(idp: Caller, members: readonly string[] = []): Promise<Reply['body']> {
  const displayName = `Group ${crypto.randomUUID()}`;
  const made = await idp.post(`${SCIM}/Groups`, { displayName, members: members.map((value) => ({ value })) });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

export const patchOf = (...Operations: unknown[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
