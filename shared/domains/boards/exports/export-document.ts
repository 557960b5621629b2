import { writeFile } from 'node:fs/promises';
import type { BeforeCard, DashboardDocument } from '../../../data/documents/documents.ts';
import { dashboardDocument } from './card-contents.ts';
import type { ExportContext, WrittenFile } from './export-command.ts';
import { type DocumentFormat, EXPORT_MEDIA_TYPES } from './formats.ts';
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

/** The dashboard with its texts and charts. */
export const exportDocument = async (context: ExportContext, format: DocumentFormat): Promise<WrittenFile> =>
  writeDocument(context, await dashboardDocument(context), format);

/** A document as a file. Characters that the file cannot show are reported. */
export async function writeDocument(
  context: Pick<ExportContext, 'deps' | 'command' | 'check'>,
  document: DashboardDocument,
  format: DocumentFormat,
): Promise<WrittenFile> {
  const { bytes, missing = [] } = await WRITERS[format](document, () => context.check(0));
  const contents = document.pages.flatMap(({ cards }) => cards.map(({ content }) => content));
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
