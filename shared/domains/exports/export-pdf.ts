import { dashboardDocument } from './card-contents.ts';
import type { ExportContext, WrittenFile } from './export-command.ts';
import { EXPORT_MEDIA_TYPES } from './formats.ts';

const MAX_LISTED = 20;

/** The dashboard as on the screen. Characters that the file cannot show are reported. */
export async function exportPdf(context: ExportContext): Promise<WrittenFile> {
  const [document, { writePdf }] = await Promise.all([dashboardDocument(context), import('./pdf-writer.ts')]);
  const { bytes, missing } = await writePdf(document);
  const contents = document.pages.flatMap(({ cards }) => cards.map(({ content }) => content));
  const codes = missing.slice(0, MAX_LISTED).map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase()}`);
  return {
    content: bytes,
    contentType: EXPORT_MEDIA_TYPES.pdf,
    extension: 'pdf',
    truncated: contents.some((content) => content.kind === 'chart' && content.truncated),
    failedCards: contents.filter(({ kind }) => kind === 'problem').length,
    warnings: codes.length > 0 ? [`MISSING_GLYPHS ${codes.join(' ')}`] : [],
  };
}
