import { randomBytes } from 'node:crypto';
import { secretDigest } from '../../../platform/auth/credentials.ts';

const TOKEN_BYTES = 24;
const PREFIXES = { share: 'sh_', embed: 'em_' } as const;
const SHOWN_CHARACTERS = 8;

export interface NewToken {
  token: string;
  digest: string;
  prefix: string;
}

/** 192 random bits. Only the digest is stored. */
export function newLinkToken(kind: keyof typeof PREFIXES, random: (size: number) => Buffer = randomBytes): NewToken {
  const token = `${PREFIXES[kind]}${random(TOKEN_BYTES).toString('base64url')}`;
  return { token, digest: secretDigest(token), prefix: token.slice(0, SHOWN_CHARACTERS) };
}
