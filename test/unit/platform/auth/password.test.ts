import { argon2id } from 'hash-wasm';
import { describe, expect, it } from 'vitest';
import { passwords } from '../../../../shared/platform/auth/password.ts';

describe('a stored password', () => {
  it('costs more than OWASP recommends unless a deployment says otherwise', async () => {
    const { hash, matches, isOutdated } = passwords();
    const stored = await hash('correct horse battery');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=32768,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await matches('correct horse battery', stored)).toBe(true);
    expect(isOutdated(stored)).toBe(false);
  });

  it('matches after the cost has changed, and no other password does', async () => {
    const stored = await passwords(10).hash('correct horse battery');
    expect(stored).toContain('$m=1024,');
    const { matches, isOutdated } = passwords(11);
    expect(isOutdated(stored)).toBe(true);
    expect(await matches('correct horse battery', stored)).toBe(true);
    expect(await matches('correct horse', stored)).toBe(false);
    expect(await matches('correct horse battery', undefined)).toBe(false);
  });

  it('is the same for both ways to write a letter', async () => {
    const { hash, matches } = passwords(10);
    expect(await matches('cafe\u0301 au lait', await hash('caf\u00e9 au lait'))).toBe(true);
  });

  it('has a hash that is the same everywhere', async () => {
    // Computed by OpenSSL.
    const hash = await argon2id({
      ...{ password: 'password', salt: 'somesalt', iterations: 2, parallelism: 1, memorySize: 65536, hashLength: 32 },
      outputType: 'encoded',
    });
    expect(hash).toBe('$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc');
  });
});
