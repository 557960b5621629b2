import { type FileHandle, open } from 'node:fs/promises';

/** Smaller chunks would cost a message and a turn of the event loop for every thousand rows. */
const CHUNK_BYTES = 1024 * 1024;
const LOOK_AGAIN_MS = 5;

/**
 * Yields the bytes of a file while the engine appends to it, and ends when `written` has resolved and all bytes are
 * read. Throws what `written` rejects with.
 */
export async function* growingFile(path: string, written: Promise<unknown>): AsyncGenerator<Buffer> {
  let isWritten = false;
  const end = written.then(() => {
    isWritten = true;
  });
  // The reader may have stopped by then.
  end.catch(() => {});
  const wait = () => Promise.race([end, new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))]);
  let file: FileHandle | undefined;
  try {
    for (;;) {
      // Bytes that are there after the end are all that there will be, so look at the end before reading.
      const isLast = isWritten;
      file ??= await openIfThere(path);
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead = 0 } = (await file?.read(chunk, 0, CHUNK_BYTES)) ?? {};
      if (bytesRead > 0) yield chunk.subarray(0, bytesRead);
      else if (isLast) return;
      else await wait();
    }
  } finally {
    await file?.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
