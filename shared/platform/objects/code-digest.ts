import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Identifies the code of a module that is loaded on demand. A release that writes other objects must not find those of
 * the one before. Such a module is one file beside the bundle, with all that it imports; reading it takes a fraction of
 * the time of loading it.
 */
export async function codeDigest(folder: string, name: string): Promise<string> {
  const [file] = [`${name}.mjs`, `${name}.ts`].map((each) => join(folder, each)).filter(existsSync);
  return createHash('sha256')
    .update(await readFile(file!))
    .digest('hex');
}
