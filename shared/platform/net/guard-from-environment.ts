import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import type { Cidr } from './ip-ranges.ts';

/**
 * The guard of this deployment. `ALLOWED_PRIVATE_CIDRS` lists the private ranges that the operator allows; it is empty
 * on AWS by default. Metadata and link-local addresses are always blocked.
 */
export function guardFromEnvironment(variables: NodeJS.ProcessEnv = process.env): AddressGuard {
  return createAddressGuard({ allowedPrivateCidrs: privateCidrs(variables) });
}

export function privateCidrs(variables: NodeJS.ProcessEnv = process.env): Cidr[] {
  return (variables.ALLOWED_PRIVATE_CIDRS ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Plain HTTP is allowed only for deployments that may reach private networks. */
export const schemesWith = (allowedPrivateCidrs: readonly string[]): readonly ('http' | 'https')[] =>
  allowedPrivateCidrs.length > 0 ? ['https', 'http'] : ['https'];

export const WEBHOOK_SCHEMES = schemesWith(privateCidrs());
