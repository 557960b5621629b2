/** What writes is large and needed for its own format alone: a module of its own, which is loaded on demand. */
export { writeDocx } from '../../data/documents/docx.ts';
