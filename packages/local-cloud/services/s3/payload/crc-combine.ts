import type { ChecksumAlgorithm } from './digests.ts';

/** Reflected polynomials: the coefficient of x^0 is the highest bit. */
const polynomials: Partial<Record<ChecksumAlgorithm, { width: bigint; polynomial: bigint }>> = {
  CRC32: { width: 32n, polynomial: 0xedb88320n },
  CRC32C: { width: 32n, polynomial: 0x82f63b78n },
  CRC64NVME: { width: 64n, polynomial: 0x9a6c9329ac4bc9b5n },
};

/** Whether checksums of parts can be combined into one of the whole. */
export function isCombinable(algorithm: ChecksumAlgorithm): boolean {
  return polynomials[algorithm] !== undefined;
}

/**
 * The checksum of concatenated parts, from the checksums of the parts: appending n bytes multiplies the checksum so far
 * by x^8n, modulo the polynomial.
 */
export function combineCrcs(algorithm: ChecksumAlgorithm, parts: readonly { crc: Buffer; size: number }[]): Buffer {
  const field = polynomials[algorithm];
  if (!field) throw new Error(`${algorithm} checksums cannot be combined.`);
  const { width, polynomial } = field;
  const one = 1n << (width - 1n);

  const multiply = (a: bigint, b: bigint): bigint => {
    let product = 0n;
    let shifted = b;
    for (let bit = one; bit > 0n; bit >>= 1n) {
      if (a & bit) product ^= shifted;
      shifted = shifted & 1n ? (shifted >> 1n) ^ polynomial : shifted >> 1n;
    }
    return product;
  };
  const powers = new Map<number, bigint>();
  const powerForBytes = (size: number): bigint => {
    const known = powers.get(size);
    if (known !== undefined) return known;
    let power = one;
    let square = one >> 8n; // x^8, the effect of one byte
    for (let rest = BigInt(size); rest > 0n; rest >>= 1n) {
      if (rest & 1n) power = multiply(square, power);
      square = multiply(square, square);
    }
    powers.set(size, power);
    return power;
  };

  let combined = 0n;
  for (const { crc, size } of parts) {
    combined = multiply(powerForBytes(size), combined) ^ BigInt(`0x${crc.toString('hex')}`);
  }
  return Buffer.from(combined.toString(16).padStart(Number(width) / 4, '0'), 'hex');
}
