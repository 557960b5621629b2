/** The public API of this domain; everything else is internal. */
export { allowCopy } from './allow-copy.ts';
export { type CopiesDeps, type ListedCopy, listCopies } from './list-copies.ts';
export { requireMayWrite, type WriteDeps } from './require-may-write.ts';
