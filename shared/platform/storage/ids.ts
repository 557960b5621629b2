import { createHash, randomBytes } from 'node:crypto';

/** A UUID of version 7: sorts by its creation time. */
export function newId(now: Date = new Date(), random: Buffer = randomBytes(10)): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  random.copy(bytes, 6, 0, 10);
  return formatUuid(bytes, 7);
}

/** The same words give the same UUID (version 8): names a thing that must exist once however often it is asked for. */
export function idFrom(...words: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(words)).digest();
  return formatUuid(digest.subarray(0, 16), 8);
}

/** As `idFrom`, and it begins with an instant: ids of one kind sort by it, as those of `newId` do. */
export function idAt(at: Date, ...words: readonly (string | number)[]): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  createHash('sha256').update(JSON.stringify(words)).digest().copy(bytes, 6, 0, 10);
  return formatUuid(bytes, 8);
}

/** The instant that an id of `newId` or `idAt` begins with. */
export const instantOf = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));

function formatUuid(bytes: Buffer, version: number): string {
  const copy = Buffer.from(bytes);
  copy[6] = (copy[6]! & 0x0f) | (version << 4);
  copy[8] = (copy[8]! & 0x3f) | 0x80;
  return copy.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A timestamp after `previous`: an `updatedAt` is a version too, and two changes in one millisecond differ. */
export function later(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
