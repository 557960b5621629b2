/** A separate module, loaded on demand, because the writer is large and only this format needs it. */
export { writeArticleDocx } from '../../../data/documents/article-docx.ts';
export { writeDocx } from '../../../data/documents/docx.ts';
