/** A separate module, loaded on demand, because the writer is large and only this format needs it. */
export { writeArticlePdf } from '../../../data/documents/article-pdf.ts';
export { writePdf } from '../../../data/documents/pdf.ts';
