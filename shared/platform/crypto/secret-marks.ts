import { createHmac, timingSafeEqual } from 'node:crypto';
import { type MasterSecret, UnknownSecretVersion } from './master-secret.ts';

/**
 * Tells whether a secret is still the same one. A mark is a keyed digest, and the key follows from the master secret,
 * the workspace and the place of the secret: the table alone gives no way to check a guess, and equal secrets have
 * different marks.
 */
export interface SecretMarks {
  of(workspaceId: string, place: string, secret: string): Promise<string>;
  /** False for a mark whose key no longer exists. */
  matches(mark: string, workspaceId: string, place: string, secret: string): Promise<boolean>;
}

export function secretMarks(master: MasterSecret): SecretMarks {
  const write = async (workspaceId: string, place: string, secret: string, wanted?: number) => {
    const { key, version } = await master.derive(`secret-marks/${workspaceId}/${place}`, wanted);
    return `v${version}.${createHmac('sha256', key).update(secret).digest('base64url')}`;
  };
  return {
    of: (workspaceId, place, secret) => write(workspaceId, place, secret),
    async matches(mark, workspaceId, place, secret) {
      const version = Number(/^v(\d{1,6})\./.exec(mark)?.[1]);
      if (!Number.isInteger(version)) return false;
      try {
        const expected = Buffer.from(await write(workspaceId, place, secret, version));
        const given = Buffer.from(mark);
        return expected.length === given.length && timingSafeEqual(expected, given);
      } catch (error) {
        if (error instanceof UnknownSecretVersion) return false;
        throw error;
      }
    },
  };
}
