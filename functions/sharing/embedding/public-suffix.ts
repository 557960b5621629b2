import { getPublicSuffix } from 'tldts';

/**
 * Whether strangers can get names below this one, from a registry (`co.uk`) or from a hosting service (`github.io`).
 */
export const isPublicSuffix = (name: string): boolean => getPublicSuffix(name, { allowPrivateDomains: true }) === name;
