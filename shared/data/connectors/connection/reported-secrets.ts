import { masker } from '../../../platform/crypto/masking.ts';

/**
 * Masks secrets in errors of a server or its driver, because people and logs read them and a server may echo what it
 * received. The error and all of its causes are changed in place.
 */
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  const mask = masker(secrets);
  for (let each = error; each instanceof Error; each = each.cause) {
    const members = each as unknown as Record<string, unknown>;
    for (const name of Object.getOwnPropertyNames(each)) {
      const value = members[name];
      if (typeof value === 'string') members[name] = mask(value);
    }
  }
  return error;
}
