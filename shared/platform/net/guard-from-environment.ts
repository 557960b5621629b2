import { type AddressGuard, createAddressGuard, type Scheme } from './address-guard.ts';
import type { Cidr } from './ip-ranges.ts';

/**
 * The guard of this deployment. `ALLOWED_PRIVATE_CIDRS` lists the private ranges that the operator allows; it is empty
 * on AWS by default. Metadata and link-local addresses are always blocked, and so is the local cloud, the address of
 * which the SDK finds in `AWS_ENDPOINT_URL`.
 */
export function guardFromEnvironment(variables: NodeJS.ProcessEnv = process.env): AddressGuard {
  return createAddressGuard({ allowedPrivateCidrs: privateCidrs(variables), ownEndpoint: variables.AWS_ENDPOINT_URL });
}

function privateCidrs(variables: NodeJS.ProcessEnv = process.env): Cidr[] {
  return (variables.ALLOWED_PRIVATE_CIDRS ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Plain HTTP is allowed only for deployments that may reach private networks. */
export const webhookSchemes = (): readonly Scheme[] => (privateCidrs().length > 0 ? ['https', 'http'] : ['https']);
