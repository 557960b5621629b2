import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { newAddress } from '../../../support/given/address.ts';

const newEmail = () => `guess-${randomUUID()}@example.com`;

const signIn = (api: Api, from: string, credentials: { email: string; password?: string }, headers = {}) =>
  api.as('anonymous').post('/api/auth/login', { password: 'a guess', ...credentials }, { from, headers });

/** Signs in with a wrong password, one attempt after the other, and lists the statuses. */
async function guess(api: Api, attempts: { from: string; email: string }[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const { from, email } of attempts) statuses.push((await signIn(api, from, { email })).status);
  return statuses;
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('failed sign-ins', () => {
  it('are limited to ten for an account and an address, also when they are made all at once', async ({ api }) => {
    const [from, email] = [newAddress(), newEmail()];
    const replies = await Promise.all(
      times(25, () => signIn(api, from, { email }, { 'x-forwarded-for': newAddress() })),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const { body, headers } of refused) {
      expect(body.code).toBe('TOO_MANY_ATTEMPTS');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(20 * 60);
    }
    expect(await guess(api, [{ from, email: newEmail() }])).toEqual([401]);
    expect(await guess(api, [{ from: newAddress(), email }])).toEqual([401]);
  });

  it('are limited to twenty for an address, whatever accounts it tries', async ({ api }) => {
    const from = newAddress();
    const statuses = await guess(
      api,
      times(30, () => ({ from, email: newEmail() })),
    );
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    // An unknown account and one that exists are answered alike.
    const { email } = await api.password('viewer');
    expect(await guess(api, [{ from, email }])).toEqual([429]);
  });

  it('are limited to fifty for an account, wherever they come from', async ({ api }) => {
    const email = newEmail();
    const statuses = await Promise.all(times(60, () => guess(api, [{ from: newAddress(), email }])));
    expect(statuses.flat().filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.flat().filter((status) => status === 429)).toHaveLength(10);
  });

  it('of others do not keep out a person who has signed in from the address before', async ({ api }) => {
    const [home, viewer] = [newAddress(), await api.password('viewer')];
    expect((await signIn(api, home, viewer)).status).toBe(200);
    await Promise.all(times(60, () => guess(api, [{ from: newAddress(), email: viewer.email }])));
    await guess(
      api,
      times(21, () => ({ from: home, email: newEmail() })),
    );
    expect((await signIn(api, newAddress(), viewer)).status).toBe(429);
    expect((await signIn(api, home, viewer)).status).toBe(200);
    // A stranger at the same address is limited to ten guesses all the same.
    const statuses = await guess(
      api,
      times(12, () => ({ from: home, email: viewer.email })),
    );
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  it('from one address do not use up what an account may fail', async ({ api }) => {
    const [from, email] = [newAddress(), newEmail()];
    await guess(
      api,
      times(21, () => ({ from, email: newEmail() })),
    );
    expect(await guess(api, Array(60).fill({ from, email }))).toEqual(Array(60).fill(429));
    expect(await guess(api, [{ from: newAddress(), email }])).toEqual([401]);
  });

  it('count, and others do not', async ({ api }) => {
    const [from, editor] = [newAddress(), await api.password('editor')];
    for (let turn = 0; turn < 12; turn += 1) expect((await signIn(api, from, editor)).status).toBe(200);
    expect(await guess(api, Array(10).fill({ from, email: editor.email }))).toEqual(Array(10).fill(401));
    expect((await signIn(api, from, editor)).status).toBe(429);
  });
});
