import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import type { Api } from '../api.ts';

/** Turns the second factor of a person on, with the code of the current step. */
export async function givenSecondFactor(
  api: Api,
  { token, password }: { token: string; password: string },
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const caller = api.as({ token });
  const { secret } = (await caller.post('/api/auth/mfa/enroll', { password })).body;
  const on = await caller.post('/api/auth/mfa/activate', { code: new TOTP({ secret }).generate() });
  expect(on.status, JSON.stringify(on.body)).toBe(200);
  return { secret, recoveryCodes: on.body.recoveryCodes };
}
