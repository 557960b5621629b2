import { masker } from '../../../platform/crypto/masking.ts';

/**
 * Masks the secrets in what a server or its driver reports, because people and logs read it and a server may say again
 * what it was told. The error itself is changed, and what it was caused by: nothing behind it tells more.
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
