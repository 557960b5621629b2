import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { shareFolder } from './share-folder.ts';

/**
 * Keeps the bundles of deployed functions and the build folders of images in the data directory, as the bootstrap
 * bucket does on AWS. The assembly can then be rebuilt or removed while the functions run.
 */
export class Assets {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The folder of an asset by its object key. Throws when it was not deployed. */
  folder(objectKey: string): string {
    const folder = this.#path(objectKey);
    if (!existsSync(folder)) throw new Error(`There is no asset ${objectKey}.`);
    return folder;
  }

  /** The build folder of an image by its URI; undefined when it was not deployed. */
  imageFolder(image: string): string | undefined {
    const folder = this.#path(imageKey(image));
    return existsSync(folder) ? folder : undefined;
  }

  /**
   * Stores the assets that are new. An asset is named after its content, so an existing one is complete and correct.
   */
  async keep(assets: Map<string, string>): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const [objectKey, source] of assets) {
      const folder = this.#path(objectKey);
      if (existsSync(folder)) continue;
      const unfinished = `${folder}.unfinished`;
      await rm(unfinished, { recursive: true, force: true });
      await shareFolder(source, unfinished);
      await rename(unfinished, folder);
    }
  }

  /** Removes every asset except the named ones. */
  async prune(used: ReadonlySet<string>): Promise<void> {
    const kept = new Set([...used].map(folderName));
    for (const name of await readdir(this.#folder)) {
      if (!kept.has(name)) await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  #path(objectKey: string): string {
    return join(this.#folder, folderName(objectKey));
  }
}

/** The CDK tags an image with the hash of its build folder. */
export function imageKey(image: string): string {
  return `image-${image.slice(image.lastIndexOf(':') + 1)}`;
}

function folderName(objectKey: string): string {
  return objectKey.replace(/\.zip$/, '').replaceAll(/[^A-Za-z0-9.-]/g, '_');
}
