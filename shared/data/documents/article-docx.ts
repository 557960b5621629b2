import { HeadingLevel, type Paragraph, type Table } from 'docx';
import type { ArticleDocument } from './article.ts';
import type { BeforeCard } from './documents.ts';
import { cardBlocks, docxFile, heading, paragraphs } from './docx.ts';
import { docxBlocks } from './docx-blocks.ts';

/** A text as a text document: headings, lists, tables and links as such, and charts as vector pictures. */
export async function writeArticleDocx(article: ArticleDocument, beforeCard: BeforeCard = () => {}): Promise<Buffer> {
  const children: (Paragraph | Table)[] = [heading(article.title, HeadingLevel.TITLE)];
  if (article.description !== '') children.push(...paragraphs(article.description));
  for (const part of article.parts) {
    beforeCard();
    const blocks =
      part.kind === 'card'
        ? await cardBlocks(part.card, article.theme, HeadingLevel.HEADING_4)
        : docxBlocks(part, HeadingLevel.HEADING_1);
    children.push(...blocks);
  }
  return docxFile(article, children);
}
