import { open } from 'node:fs/promises';

/** Large enough to make calls rare, and small enough for the cache of a processor. */
const CHUNK_BYTES = 1024 ** 2;

/**
 * The bytes of a file in chunks of a megabyte, in the same memory: a chunk is valid until the next one is asked for.
 * Memory for each chunk would take longer to get than the bytes.
 */
export async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(memory, 0, memory.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
