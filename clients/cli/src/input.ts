import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CommandError, EXIT } from './exit-codes.ts';

/** The content of a file; `-` is standard input. */
export async function readInput(path: string, { stdin }: Pick<NodeJS.Process, 'stdin'>): Promise<Buffer> {
  try {
    return path === '-' ? await buffer(stdin) : await readFile(path);
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${path} cannot be read: ${(cause as Error).message}`, 'FILE_UNREADABLE');
  }
}
