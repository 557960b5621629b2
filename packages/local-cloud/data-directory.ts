import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The folder with all data of a local cloud, used by one cloud at a time. */
export class DataDirectory {
  readonly path: string;
  readonly #lock: DatabaseSync;

  /**
   * Locks the folder and creates it if missing. The operating system's lock on an open file ends with the process, even
   * if it crashes. Throws if another local cloud uses the folder.
   */
  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    this.#lock = new DatabaseSync(join(path, 'lock'));
    try {
      this.#lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
    } catch (cause) {
      this.#lock.close();
      throw new Error(`The data directory ${path} is in use by another local cloud.`, { cause });
    }
  }

  /** A subfolder, created if missing. */
  folder(name: string): string {
    const folder = join(this.path, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  release(): void {
    this.#lock.close();
  }
}
