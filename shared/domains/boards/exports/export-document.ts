import { writeFile } from 'node:fs/promises';
import type { ArticleDocument } from '../../../data/documents/article.ts';
import type { BeforeCard, CardContent, DashboardDocument } from '../../../data/documents/documents.ts';
import { dashboardDocument } from './card-contents.ts';
import type { ExportContext, WrittenFile } from './export-command.ts';
import { type ArticleFormat, type DocumentFormat, EXPORT_MEDIA_TYPES } from './formats.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import { storedFile } from './stored-file.ts';

/** Loaded on demand, because each writer is large and only its own format needs it. */
const WRITERS: Readonly<
  Record<
    DocumentFormat,
    (document: DashboardDocument, beforeCard: BeforeCard) => Promise<{ bytes: Buffer; missing?: readonly string[] }>
  >
> = {
  pdf: async (...given) => (await import('./pdf-writer.ts')).writePdf(...given),
  pptx: async (...given) => ({ bytes: await (await import('./pptx-writer.ts')).writePptx(...given) }),
  docx: async (...given) => ({ bytes: await (await import('./docx-writer.ts')).writeDocx(...given) }),
};

/** Loaded on demand, as the writers of dashboards are. */
const ARTICLE_WRITERS: Readonly<
  Record<
    ArticleFormat,
    (article: ArticleDocument, beforeCard: BeforeCard) => Promise<{ bytes: Buffer; missing?: readonly string[] }>
  >
> = {
  pdf: async (...given) => (await import('./pdf-writer.ts')).writeArticlePdf(...given),
  docx: async (...given) => ({ bytes: await (await import('./docx-writer.ts')).writeArticleDocx(...given) }),
};

type WritingContext = Pick<ExportContext, 'deps' | 'command' | 'check'>;

/** The dashboard with its texts and charts. Characters that the file cannot show are reported. */
export async function exportDocument(context: ExportContext, format: DocumentFormat): Promise<WrittenFile> {
  const document = await dashboardDocument(context);
  const written = await WRITERS[format](document, () => context.check(0));
  const contents = document.pages.flatMap(({ cards }) => cards.map(({ content }) => content));
  return fileOf(context, format, written, contents);
}

/** A text with charts as a file. Characters that the file cannot show are reported. */
export async function exportArticle(
  context: WritingContext,
  article: ArticleDocument,
  format: ArticleFormat,
): Promise<WrittenFile> {
  const written = await ARTICLE_WRITERS[format](article, () => context.check(0));
  const contents = article.parts.flatMap((part) => (part.kind === 'card' ? [part.card.content] : []));
  return fileOf(context, format, written, contents);
}

async function fileOf(
  context: WritingContext,
  format: DocumentFormat,
  { bytes, missing = [] }: { bytes: Buffer; missing?: readonly string[] },
  contents: readonly CardContent[],
): Promise<WrittenFile> {
  const contentType = EXPORT_MEDIA_TYPES[format];
  return {
    content: await storedFile(context, { extension: format, contentType }, (path) => writeFile(path, bytes)),
    contentType,
    extension: format,
    truncated: contents.some((content) => content.kind === 'chart' && content.truncated),
    failedCards: contents.filter(({ kind }) => kind === 'problem').length,
    warnings: missingGlyphs(missing),
  };
}
