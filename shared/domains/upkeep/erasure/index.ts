/** The public API of this domain; everything else is internal. */
export { type EraseContext, eraseDue } from './erase.ts';
