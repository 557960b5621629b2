/** What draws is large and needed for documents alone: a module of its own, which is loaded on demand. */
export { writePdf } from '../../data/documents/pdf.ts';
