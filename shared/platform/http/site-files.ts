import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SiteFile {
  bytes: Buffer;
  /** Identifies exactly these bytes. */
  etag: string;
}

/** The files that the build placed beside the bundle. Each is read once, on first use. */
export class SiteFiles {
  readonly #folder: string;
  readonly #files = new Map<string, SiteFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Rejects if the file does not exist. `path` must not come from a request unchecked. */
  async read(path: string): Promise<SiteFile> {
    const known = this.#files.get(path);
    if (known) return known;
    const bytes = await readFile(join(this.#folder, path));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`;
    const file = { bytes, etag };
    this.#files.set(path, file);
    return file;
  }

  /** Undefined if the file does not exist. */
  async find(path: string): Promise<SiteFile | undefined> {
    try {
      return await this.read(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  names(folder: string): Promise<string[]> {
    return readdir(join(this.#folder, folder));
  }
}
