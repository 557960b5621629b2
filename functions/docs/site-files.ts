import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SiteFile {
  bytes: Buffer;
  /** Names exactly these bytes. */
  etag: string;
}

/** The files that the build has put beside the bundle. Each is read once, when it is first asked for. */
export class SiteFiles {
  readonly #folder: string;
  readonly #files = new Map<string, SiteFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Rejects when there is no such file. `path` must not come from a request unchecked. */
  async read(path: string): Promise<SiteFile> {
    const known = this.#files.get(path);
    if (known) return known;
    const bytes = await readFile(join(this.#folder, path));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`;
    const file = { bytes, etag };
    this.#files.set(path, file);
    return file;
  }

  /** Undefined when there is no such file. */
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
