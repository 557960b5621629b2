import type { Claims } from '../../../shared/domains/identity/identity-providers/index.ts';
import { attributeValue } from '../../../shared/domains/identity/mapped-attributes/index.ts';
import { MAX_MEMBER_BYTES } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { jsonBytes } from '../../../shared/platform/storage/page.ts';

/** The claims that are mapped to attributes, as far as an attribute can hold them: another value is none. */
export function mappedClaims(names: readonly string[], claims: Readonly<Record<string, unknown>>): Claims {
  const found: [string, string | string[]][] = [];
  let bytes = 0;
  for (const name of new Set(names)) {
    const value = Object.hasOwn(claims, name) ? attributeValue(claims[name]) : undefined;
    if (value === undefined) continue;
    bytes += jsonBytes(value);
    if (bytes <= MAX_MEMBER_BYTES) found.push([name, value]);
  }
  return Object.fromEntries(found);
}
