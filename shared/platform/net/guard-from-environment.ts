import { type AddressGuard, createAddressGuard } from './address-guard.ts';
import type { Cidr } from './ip-ranges.ts';

/**
 * The guard of this deployment: `ALLOWED_PRIVATE_CIDRS` is the operator's list of private ranges that may be reached,
 * empty on AWS unless set. Metadata and link-local addresses stay closed whatever it says.
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

/** A public deployment speaks over TLS only; one that may reach private networks also in the clear. */
export const schemesWith = (allowedPrivateCidrs: readonly string[]): readonly ('http' | 'https')[] =>
  allowedPrivateCidrs.length > 0 ? ['https', 'http'] : ['https'];

export const WEBHOOK_SCHEMES = schemesWith(privateCidrs());
