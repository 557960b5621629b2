import { writeXlsx } from '../../../data/documents/xlsx.ts';
import { canonicalTimezone } from '../../semantics/queries/index.ts';
import { cardSheets, truncationNoteOf } from './card-files.ts';
import type { ExportContext, WrittenFile } from './export-command.ts';
import { EXPORT_MEDIA_TYPES } from './formats.ts';
import { storedFile } from './stored-file.ts';

/** A workbook with a sheet for each card with rows. */
export async function exportXlsx(context: ExportContext): Promise<WrittenFile> {
  const { dashboard, command, generatedAt } = context;
  const sheets = await cardSheets(context, 'xlsx');
  const contentType = EXPORT_MEDIA_TYPES.xlsx;
  const about = {
    title: dashboard.name,
    description: dashboard.description,
    timezone: canonicalTimezone(command.timezone ?? dashboard.timezone ?? command.principal.timezone ?? 'UTC'),
    generatedAt: generatedAt.toISOString(),
    filters: await context.inForce(),
    truncationNote: truncationNoteOf('xlsx'),
  };
  const content = await storedFile(context, { extension: 'xlsx', contentType }, (path) =>
    writeXlsx(path, sheets, about, { check: context.check }),
  );
  return {
    content,
    contentType,
    extension: 'xlsx',
    truncated: sheets.some(({ truncated }) => truncated),
    failedCards: sheets.filter(({ problem }) => problem !== undefined).length,
    warnings: [],
  };
}
