import { constants, copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Fills `target` with the files of `source` as hard links, which need no space and outlive the original, or as copies
 * where the file system has no hard links or is another one. To change an original file, write a new file in its place.
 */
export async function shareFolder(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) await shareFolder(from, to);
    else await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE));
  }
}
