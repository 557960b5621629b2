import { gunzipSync, gzipSync } from 'node:zlib';
import { emptyParts, PART_KINDS, type PartMaps } from '../definition/definition.ts';

/** An item has at most 400 KB. */
const SLICE_BYTES = 350 * 1024;

/** All parts, compressed and cut into slices that fit into an item each. */
export function packParts(parts: PartMaps): Uint8Array[] {
  const plain = Object.fromEntries(PART_KINDS.map((kind) => [kind, [...parts[kind].values()]]));
  const content = gzipSync(JSON.stringify(plain));
  return Array.from({ length: Math.ceil(content.length / SLICE_BYTES) }, (_, slice) =>
    content.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES),
  );
}

/** Throws if a slice is missing. */
export function unpackParts(slices: readonly Uint8Array[]): PartMaps {
  const plain = JSON.parse(gunzipSync(Buffer.concat(slices)).toString('utf8'));
  const parts = PART_KINDS.map((kind) => [
    kind,
    new Map(((plain[kind] ?? []) as { id: string }[]).map((part) => [part.id, part])),
  ]);
  return { ...emptyParts(), ...Object.fromEntries(parts) };
}
