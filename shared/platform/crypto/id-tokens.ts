import { createHmac, timingSafeEqual } from 'node:crypto';
import { type MasterSecret, UnknownSecretVersion } from './master-secret.ts';

const TOKEN = /^([a-z]{2})_(\d{1,6})_([0-9a-z-]{1,64}(?:_[0-9a-z-]{1,64})*)_([A-Za-z0-9_-]{43})$/;

/**
 * `<prefix>_<secret version>_<ids>_<signature>`. A token is derived from the master secret, so it is not stored, and
 * the same ids always give the same one.
 */
export interface IdTokens {
  of(ids: readonly string[]): Promise<string>;
  /** The ids of a valid token with this many of them; undefined for any other text. */
  read(token: string, count: number): Promise<string[] | undefined>;
}

export function idTokens(master: MasterSecret, { prefix, purpose }: { prefix: string; purpose: string }): IdTokens {
  const write = async (ids: string, wanted?: number) => {
    const { key, version } = await master.derive(purpose, wanted);
    return `${prefix}_${version}_${ids}_${createHmac('sha256', key).update(ids).digest('base64url')}`;
  };
  return {
    of: (ids) => write(ids.join('_')),
    async read(token, count) {
      const [, kind, version, ids] = TOKEN.exec(token) ?? [];
      if (kind !== prefix || version === undefined || ids?.split('_').length !== count) return undefined;
      const valid = await write(ids, Number(version)).catch((error: unknown) => {
        if (error instanceof UnknownSecretVersion) return undefined;
        throw error;
      });
      return valid !== undefined && isEqual(valid, token) ? ids.split('_') : undefined;
    },
  };
}

function isEqual(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
}
