import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The folder in which a local cloud keeps everything, held by one cloud at a time. */
export class DataDirectory {
  readonly path: string;
  readonly #lock: DatabaseSync;

  /**
   * Takes the folder, making it when there is none. The lock is the operating system's on an open file, so it ends with
   * the process, however that ends. Throws when another local cloud has it.
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

  /** A folder inside, made when there is none. */
  folder(name: string): string {
    const folder = join(this.path, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  release(): void {
    this.#lock.close();
  }
}
