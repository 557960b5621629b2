import type { DocumentSheet } from '../../../data/documents/documents.ts';
import { fileBaseName, uniqueNames } from '../../../data/documents/file-names.ts';
import { writeZip } from '../../../data/documents/zip-file.ts';
import { csvLine } from '../../../data/duckdb/csv-text.ts';
import { inertText } from '../../../data/duckdb/spreadsheet-csv.ts';
import { cardSheets } from './card-files.ts';
import type { ExportContext, WrittenFile } from './export-command.ts';
import { EXPORT_MEDIA_TYPES, ZIP_MEDIA_TYPE } from './formats.ts';
import { storedFile } from './stored-file.ts';

/** One card as CSV as the engine has written it, several as a ZIP of such files. */
export async function exportCsv(context: ExportContext): Promise<WrittenFile> {
  const sheets = await cardSheets(context, 'csv');
  const [only] = sheets;
  const about = {
    truncated: sheets.some(({ truncated }) => truncated),
    failedCards: sheets.filter(({ problem }) => problem !== undefined).length,
    warnings: [],
  };
  if (sheets.length === 1) {
    const content = only!.content ?? problemCsv(only!);
    return { ...about, content, contentType: EXPORT_MEDIA_TYPES.csv, extension: 'csv' };
  }
  const names = uniqueNames(sheets.map(({ title }, index) => fileBaseName(title, `Card ${index + 1}`)));
  const entries = sheets.map((sheet, index) => ({
    path: `${names[index]}.csv`,
    content: () => contentOf(sheet),
  }));
  const content = await storedFile(context, { extension: 'zip', contentType: ZIP_MEDIA_TYPE }, (path) =>
    writeZip(path, entries, context.generatedAt, context.check),
  );
  return { ...about, content, contentType: ZIP_MEDIA_TYPE, extension: 'zip' };
}

async function* contentOf(sheet: DocumentSheet): AsyncGenerator<Uint8Array> {
  if (sheet.csv) yield* await sheet.csv();
  else yield problemCsv(sheet);
}

const problemCsv = ({ problem = '' }: DocumentSheet): Buffer =>
  Buffer.from(csvLine(['Error']) + csvLine([inertText(problem)]));
