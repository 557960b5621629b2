import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle } from './bundles.ts';

/**
 * The maximum size of what a function reads at startup: its bundle and its validators, without modules that are loaded
 * on demand.
 */
const MAX_KB = 1500;
/** For functions that start while no caller waits. */
const MAX_WORKER_KB = 1620;

/** Whether a caller waits while the function starts. */
export const isInteractive = ({ entry }: Bundle): boolean => !entry.includes('/workers/');

export const budgetKb = (bundle: Bundle): number => (isInteractive(bundle) ? MAX_KB : MAX_WORKER_KB);

/** The size of a function's bundle with its validators. */
export async function bundleKb(root: string, { folder, file }: Bundle): Promise<number> {
  const sizes = await Promise.all(
    [`${file}.mjs`, 'validators.mjs'].map((name) =>
      stat(join(root, 'dist', folder, name)).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' && name === 'validators.mjs') return 0;
          throw error;
        },
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}
