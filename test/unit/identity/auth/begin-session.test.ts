import { expect, it } from 'vitest';
import { beginSession, type Session } from '../../../../shared/domains/identity/sessions/index.ts';
import type { UserRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';

const NOW = new Date('2026-02-03T12:00:00.000Z');
const HOUR = 60 * 60;

/** The session that is stored for a sign-in by an identity provider. */
async function storedFor(given: { signedInAt?: string }): Promise<Session> {
  const stored: Session[] = [];
  const accounts = {
    createSession: async (session: Session) => {
      stored.push(session);
      return true;
    },
  };
  const tokens = { issue: async () => 'token' } as never;
  const user = { id: 'ada', companyId: 'acme', email: 'ada@example.com', name: 'Ada' } as UserRecord;
  const joined = { workspaceId: 'sales', role: 'viewer', joinedAt: '', membershipId: 'm' } as const;
  const method = { kind: 'sso', providerId: 'p' } as const;
  const client = { sourceIp: '127.0.0.1', userAgent: undefined, sessionId: 's', method };
  await beginSession({ accounts, tokens, now: () => NOW }, user, joined, { ...client, ...given });
  return stored[0]!;
}

const secondsFromNow = ({ expiresAt }: Session) => expiresAt - NOW.getTime() / 1000;

it('a sign-in by an identity provider lasts for a day, also one that another sign-in has vouched for', async () => {
  expect(secondsFromNow(await storedFor({}))).toBe(24 * HOUR);
  const signedInAt = '2026-02-02T20:00:00.000Z';
  const vouched = await storedFor({ signedInAt });
  expect(vouched.createdAt).toBe(signedInAt);
  expect(secondsFromNow(vouched)).toBe(8 * HOUR);
});
