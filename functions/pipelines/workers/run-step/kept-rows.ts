import type { StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import type { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';

/** The fused rows that a worker holds on its disk, until the steps that read them have ended. */
export class KeptRows {
  readonly #cache: ObjectCache;
  readonly #keys = new Set<string>();

  constructor(cache: ObjectCache) {
    this.#cache = cache;
  }

  has({ files }: StepOutput): boolean {
    return files.every(({ key }) => this.#keys.has(key));
  }

  async add(key: string, path: string): Promise<void> {
    this.#keys.add(key);
    await this.#cache.keep({ key }, path);
  }

  /** Drops all rows but those of the output that is read next. */
  async dropAllBut(next?: StepOutput): Promise<void> {
    const needed = new Set(next?.files.map(({ key }) => key));
    for (const key of this.#keys) {
      if (needed.has(key)) continue;
      this.#keys.delete(key);
      await this.#cache.drop({ key });
    }
  }
}
