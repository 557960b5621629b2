import { describe, expect, it } from 'vitest';
import { MasterSecret, UnknownSecretVersion } from '../../../../shared/platform/crypto/master-secret.ts';

/** A parameter with so many versions, which notes what is asked of it. */
function parameter(newest: number) {
  const asked: (number | undefined)[] = [];
  const state = { newest, asked, now: 0, down: false };
  const master = new MasterSecret(
    async (version = state.newest) => {
      asked.push(version);
      if (state.down) throw new Error('throttled');
      if (version > state.newest || version < 2) {
        throw Object.assign(new Error('no such version'), { name: 'ParameterVersionNotFound' });
      }
      return { version, secret: Buffer.alloc(32, version) };
    },
    () => state.now,
  );
  return { state, master };
}

describe('the master secret', () => {
  it('gives a key per purpose and version', async () => {
    const { master } = parameter(3);
    const newest = await master.derive('a');
    expect(newest.version).toBe(3);
    expect(await master.derive('a', 3)).toEqual(newest);
    expect((await master.derive('b')).key).not.toEqual(newest.key);
    expect((await master.derive('a', 2)).key).not.toEqual(newest.key);
  });

  it('does not request versions that a caller made up', async () => {
    const { master, state } = parameter(3);
    for (let version = 4; version < 100; version += 1) {
      await expect(master.derive('a', version)).rejects.toThrow(UnknownSecretVersion);
    }
    for (let turn = 0; turn < 3; turn += 1) await expect(master.derive('a', 1)).rejects.toThrow(UnknownSecretVersion);
    expect(state.asked).toEqual([3, 3, 1]);
  });

  it('learns of a rotation when something names the new version', async () => {
    const { master, state } = parameter(3);
    await expect(master.derive('a', 4)).rejects.toThrow(UnknownSecretVersion);
    state.newest = 4;
    state.now = 10_000;
    expect((await master.derive('a', 4)).version).toBe(4);
    expect((await master.derive('a')).version).toBe(4);
  });

  it('learns of a rotation within five minutes when nothing names the new version', async () => {
    const { master, state } = parameter(3);
    expect((await master.derive('a')).version).toBe(3);
    state.newest = 4;
    state.now = 5 * 60_000 - 1;
    expect((await master.derive('a')).version).toBe(3);
    state.now += 1;
    state.down = true;
    expect((await master.derive('a')).version).toBe(3);
    state.down = false;
    state.now += 5 * 60_000;
    expect((await master.derive('a')).version).toBe(4);
  });

  it('says that it cannot be read, and tries again the next time', async () => {
    const { master, state } = parameter(3);
    state.down = true;
    await expect(master.derive('a')).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    state.down = false;
    expect((await master.derive('a')).version).toBe(3);
    state.down = true;
    await expect(master.derive('a', 2)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    state.down = false;
    expect((await master.derive('a', 2)).version).toBe(2);
  });
});
