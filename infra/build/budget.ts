import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundle } from './bundles.ts';

/** What a function may have to read when it starts: its bundle and its validators, without what lies beside for rare calls. */
const MAX_KB = 1024;
/** Of functions for whose start nobody waits. */
const MAX_WORKER_KB = 1536;

/** Whether a person waits while the function starts. */
export const isWaitedFor = ({ entry }: Bundle): boolean => !entry.includes('/workers/');

export const budgetKb = (bundle: Bundle): number => (isWaitedFor(bundle) ? MAX_KB : MAX_WORKER_KB);

/** Size of a function's built bundle with its validators. */
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
