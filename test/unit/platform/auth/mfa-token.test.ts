import { expect, it } from 'vitest';
import { mfaTokens } from '../../../../functions/identity/auth/mfa-token.ts';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';

const START = Date.parse('2026-02-15T12:00:00.000Z');
const pending = { userId: 'u', sessionId: 's', workspaceId: 'w', signInEpoch: undefined };

it('proves the first factor until the rotation of the master secret after the next one', async () => {
  const state = { newest: 1, now: START };
  const master = new MasterSecret(
    async (version = state.newest) => {
      if (version > state.newest) throw Object.assign(new Error(), { name: 'ParameterVersionNotFound' });
      return { version, secret: Buffer.alloc(32, version) };
    },
    () => state.now,
  );
  const tokens = mfaTokens(master);
  const at = new Date(START);
  const first = await tokens.issue(pending, at);
  for (const [newest, accepted] of [
    [1, pending],
    [2, pending],
    [3, undefined],
  ] as const) {
    state.newest = newest;
    state.now += 600_000;
    await master.newestVersion();
    expect(await tokens.read(first, at), `newest ${newest}`).toEqual(accepted);
  }
});
