import type { Digest } from './digest.ts';

const CRC32C_POLYNOMIAL = 0x82f63b78;
const CRC64NVME_POLYNOMIAL = { high: 0x9a6c9329, low: 0xac4bc9b5 };
const SLICES = 8;

/** Tables for eight bytes at a time: entry `slice * 256 + byte` is the effect of a byte `slice` places back. */
const crc32cTable = (() => {
  const table = new Uint32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ CRC32C_POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let i = 256; i < table.length; i++) {
    const previous = table[i - 256]!;
    table[i] = (previous >>> 8) ^ table[previous & 0xff]!;
  }
  return table;
})();

/** The same for 64 bits, as two halves, because BigInt arithmetic is a hundred times slower. */
const crc64Tables = (() => {
  const high = new Uint32Array(SLICES * 256);
  const low = new Uint32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let h = 0;
    let l = byte;
    for (let bit = 0; bit < 8; bit++) {
      const carry = l & 1;
      l = (l >>> 1) | (h << 31);
      h >>>= 1;
      if (carry) {
        h ^= CRC64NVME_POLYNOMIAL.high;
        l ^= CRC64NVME_POLYNOMIAL.low;
      }
    }
    high[byte] = h;
    low[byte] = l;
  }
  for (let i = 256; i < high.length; i++) {
    const h = high[i - 256]!;
    const l = low[i - 256]!;
    high[i] = (h >>> 8) ^ high[l & 0xff]!;
    low[i] = ((l >>> 8) | (h << 24)) ^ low[l & 0xff]!;
  }
  return { high, low };
})();

export function crc32cDigest(): Digest {
  const t = crc32cTable;
  let crc = 0xffffffff;
  return {
    update(chunk) {
      let c = crc;
      let i = 0;
      for (; i + 8 <= chunk.length; i += 8) {
        c ^= chunk[i]! | (chunk[i + 1]! << 8) | (chunk[i + 2]! << 16) | (chunk[i + 3]! << 24);
        c =
          t[1792 + (c & 0xff)]! ^
          t[1536 + ((c >>> 8) & 0xff)]! ^
          t[1280 + ((c >>> 16) & 0xff)]! ^
          t[1024 + (c >>> 24)]! ^
          t[768 + chunk[i + 4]!]! ^
          t[512 + chunk[i + 5]!]! ^
          t[256 + chunk[i + 6]!]! ^
          t[chunk[i + 7]!]!;
      }
      for (; i < chunk.length; i++) c = (c >>> 8) ^ t[(c ^ chunk[i]!) & 0xff]!;
      crc = c;
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
      return bytes;
    },
  };
}

export function crc64nvmeDigest(): Digest {
  const { high, low } = crc64Tables;
  let crcHigh = 0xffffffff;
  let crcLow = 0xffffffff;
  return {
    update(chunk) {
      let h = crcHigh;
      let l = crcLow;
      let i = 0;
      for (; i + 8 <= chunk.length; i += 8) {
        l ^= chunk[i]! | (chunk[i + 1]! << 8) | (chunk[i + 2]! << 16) | (chunk[i + 3]! << 24);
        h ^= chunk[i + 4]! | (chunk[i + 5]! << 8) | (chunk[i + 6]! << 16) | (chunk[i + 7]! << 24);
        const a = 1792 + (l & 0xff);
        const b = 1536 + ((l >>> 8) & 0xff);
        const c = 1280 + ((l >>> 16) & 0xff);
        const d = 1024 + (l >>> 24);
        const e = 768 + (h & 0xff);
        const f = 512 + ((h >>> 8) & 0xff);
        const g = 256 + ((h >>> 16) & 0xff);
        const k = h >>> 24;
        h = high[a]! ^ high[b]! ^ high[c]! ^ high[d]! ^ high[e]! ^ high[f]! ^ high[g]! ^ high[k]!;
        l = low[a]! ^ low[b]! ^ low[c]! ^ low[d]! ^ low[e]! ^ low[f]! ^ low[g]! ^ low[k]!;
      }
      for (; i < chunk.length; i++) {
        const index = (l ^ chunk[i]!) & 0xff;
        l = ((l >>> 8) | (h << 24)) ^ low[index]!;
        h = (h >>> 8) ^ high[index]!;
      }
      crcHigh = h;
      crcLow = l;
    },
    digest() {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32BE((crcHigh ^ 0xffffffff) >>> 0, 0);
      bytes.writeUInt32BE((crcLow ^ 0xffffffff) >>> 0, 4);
      return bytes;
    },
  };
}
