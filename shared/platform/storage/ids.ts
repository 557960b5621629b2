import { hash, randomBytes } from 'node:crypto';

/** A UUID of version 7, which sorts by creation time. */
export function newId(now: Date = new Date(), random: Buffer = randomBytes(10)): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  random.copy(bytes, 6, 0, 10);
  return formatUuid(bytes, 7);
}

/**
 * Derives a UUID (version 8) from words. The same words give the same id, so that retries create a record only once.
 */
export function idFrom(...words: readonly (string | number)[]): string {
  return formatUuid(hash('sha256', JSON.stringify(words), 'buffer').subarray(0, 16), 8);
}

/** Like `idFrom`, but starting with an instant, so that ids of one kind sort by time like those of `newId`. */
export function idAt(at: Date, ...words: readonly (string | number)[]): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  hash('sha256', JSON.stringify(words), 'buffer').copy(bytes, 6, 0, 10);
  return formatUuid(bytes, 8);
}

/** The instant that an id of `newId` or `idAt` begins with. */
export const instantOf = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));

function formatUuid(bytes: Buffer, version: number): string {
  const copy = Buffer.from(bytes);
  copy[6] = (copy[6]! & 0x0f) | (version << 4);
  copy[8] = (copy[8]! & 0x3f) | 0x80;
  const hex = copy.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A timestamp after `previous`: `updatedAt` serves as a version too, so two changes in one millisecond must differ. */
export function later(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
