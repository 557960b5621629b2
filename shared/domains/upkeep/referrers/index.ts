/** The public API of this domain; everything else is internal. */
export { type DeleteUnused, deleteUnused, usersOf } from './delete-unused.ts';
