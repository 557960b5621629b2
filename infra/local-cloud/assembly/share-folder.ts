import { constants, copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Makes `target` a folder with the files of `source`: the same files under a second name, which take no room and outlive
 * the removal of the first, or copies where the file system has no such links or is another. Whoever changes the original
 * has to write a new file in its place.
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
