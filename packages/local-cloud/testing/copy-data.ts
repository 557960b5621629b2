import { constants, cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { shareFolder } from '../assembly/share-folder.ts';

/**
 * Copies the data directory of a local cloud that is closed, to open another cloud with the same deployments. The two
 * share the files of deployed code, which never change.
 */
export async function copyDataDirectory(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    // Compiled code is only valid for the paths of the other directory.
    if (name === 'compiled') continue;
    if (name === 'assets') await shareFolder(source, target);
    else await cp(source, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
}
