import { describe, expect, it } from 'vitest';
import { passwords } from '../../../shared/platform/auth/password.ts';

describe('a stored password', () => {
  it('costs what OWASP recommends unless a deployment says otherwise', async () => {
    const { hash, matches } = passwords();
    const stored = await hash('correct horse battery');
    expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await matches('correct horse battery', stored)).toBe(true);
  });

  it('matches after the cost has changed, and no other password does', async () => {
    const stored = await passwords(10).hash('correct horse battery');
    expect(stored).toContain('scrypt$1024$');
    const { matches } = passwords(11);
    expect(await matches('correct horse battery', stored)).toBe(true);
    expect(await matches('correct horse', stored)).toBe(false);
    expect(await matches('correct horse battery', undefined)).toBe(false);
  });
});
