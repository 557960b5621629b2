import type { Product } from './products.ts';

export const TIERS = ['team', 'business', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** The text of a licence file: a JWS in compact form, signed with Ed25519. */
export const LICENCE_PATTERN = '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$';

/** What a licence file states. */
export interface Licence {
  id: string;
  companyId: string;
  tier: Tier;
  products: Product[];
  /** The first instant at which it is valid. */
  notBefore: string;
  /** The first instant at which it is no longer valid. */
  validUntil: string;
}

export function isLicenceActive(
  { notBefore, validUntil }: Pick<Licence, 'notBefore' | 'validUntil'>,
  now: Date,
): boolean {
  return now >= new Date(notBefore) && now < new Date(validUntil);
}
