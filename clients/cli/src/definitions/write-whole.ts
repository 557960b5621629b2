import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file is written as a whole or not at all. */
export function writeWhole(path: string, content: string): void {
  const next = `${path}.${process.pid}`;
  try {
    writeFileSync(next, content, { flag: 'wx' });
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
  }
}
