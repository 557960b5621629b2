import { createHash } from 'node:crypto';

/**
 * A name that AWS would generate for a resource without one: the same for the same stack and logical id, cut to the
 * type's limit.
 */
export function physicalName(stack: string, logicalId: string, rule: { maxLength: number; lowerCase?: true }): string {
  const whole = `${stack}-${logicalId}`;
  const name = rule.lowerCase ? whole.toLowerCase() : whole;
  if (name.length <= rule.maxLength) return name;
  const hash = stableId(whole, 8);
  return `${name.slice(0, rule.maxLength - hash.length - 1)}-${hash}`;
}

/** An identifier of lower-case letters and digits, the same for the same seed. */
export function stableId(seed: string, length: number): string {
  const digits = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`).toString(36);
  return digits.slice(0, length);
}
