/** The public API of this domain; everything else is internal. */
export { type DeleteUnused, deleteUnused } from './delete-unused.ts';
