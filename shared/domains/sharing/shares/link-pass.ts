import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterSecret } from '../../../platform/crypto/master-secret.ts';
import { UnknownSecretVersion } from '../../../platform/crypto/master-secret.ts';
import type { LinkReader } from './records.ts';

const VALID_SECONDS = 24 * 60 * 60;
const FORMAT = /^lp_(\d{1,6})_(\d{1,12})_([\w-]{43})$/;

type Opened = Pick<LinkReader, 'tokenDigest' | 'passwordHash'>;

export interface LinkPasses {
  create(reader: Opened): Promise<string>;
  isValid(reader: Opened, text: string): Promise<boolean>;
}

/**
 * A pass stands for the right password of one link for a day. It cannot be guessed, so it is checked without a limit:
 * those who have opened a link are shut out neither by the guesses of others nor by the number of their own requests.
 */
export function linkPasses(master: Pick<MasterSecret, 'derive'>, now: () => Date): LinkPasses {
  const seconds = () => Math.floor(now().getTime() / 1000);
  const proof = (key: Buffer, { tokenDigest, passwordHash }: Opened, until: number) =>
    createHmac('sha256', key)
      .update(JSON.stringify([tokenDigest, passwordHash, until]))
      .digest();

  return {
    async create(reader) {
      const { key, version } = await master.derive('link-pass');
      const until = seconds() + VALID_SECONDS;
      return `lp_${version}_${until}_${proof(key, reader, until).toString('base64url')}`;
    },

    async isValid(reader, text) {
      const [, version, until, given] = FORMAT.exec(text) ?? [];
      if (given === undefined || Number(until) <= seconds()) return false;
      const derived = await master.derive('link-pass', Number(version)).catch((error: unknown) => {
        if (error instanceof UnknownSecretVersion) return undefined;
        throw error;
      });
      return (
        derived !== undefined && isEqual(proof(derived.key, reader, Number(until)), Buffer.from(given, 'base64url'))
      );
    },
  };
}

const isEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
