import { fileBaseName } from '../../data/documents/file-names.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { seenParts } from '../cards/index.ts';
import type { ExportCommand, ExportContext, ExportDeps, ExportedFile, WrittenFile } from './export-command.ts';
import { exportCsv } from './export-csv.ts';
import { exportDocument } from './export-document.ts';
import { exportXlsx } from './export-xlsx.ts';
import type { ExportFormat } from './formats.ts';

/**
 * A dashboard as a file with what the caller may see of it. A card that fails is reported in the file. Throws the not-found errors of
 * the dashboard, its pages and its cards, `CARD_WITHOUT_ROWS` for a file of rows without any, `RESULT_TOO_LARGE` for more than
 * `maxBytes`, and `SERVICE_BUSY` for a file that takes longer than `timeoutMs`.
 */
export async function exportDashboard(deps: ExportDeps, command: ExportCommand): Promise<ExportedFile> {
  const { principal, dashboardId: id, format } = command;
  const generatedAt = deps.now();
  const dashboard = await seenParts(deps, { principal, id });
  const context: ExportContext = {
    deps,
    command,
    dashboard,
    generatedAt,
    ...exportLimits(command, () => deps.now().getTime() - generatedAt.getTime()),
  };
  const { extension, ...file } = await WRITERS[format](context);
  const { name } = dashboard;
  return { ...file, fileName: `${fileBaseName(name, 'Dashboard')}.${extension}`, dashboard: { id, name } };
}

const TOO_LATE = 'Writing the file takes too long. Export fewer cards or rows, or try again later.';

/** The limits of an export; `passedMs` is how long it has taken. */
export function exportLimits(
  { timeoutMs, maxBytes = Number.POSITIVE_INFINITY }: Pick<ExportCommand, 'timeoutMs' | 'maxBytes'>,
  passedMs: () => number,
): Pick<ExportContext, 'leftMs' | 'check'> {
  const leftMs = () => timeoutMs - passedMs();
  return {
    leftMs,
    check(bytesWritten) {
      if (bytesWritten > maxBytes) throw new AppError('RESULT_TOO_LARGE');
      if (leftMs() <= 0) throw new AppError('SERVICE_BUSY', { detail: TOO_LATE });
    },
  };
}

const WRITERS: Readonly<Record<ExportFormat, (context: ExportContext) => Promise<WrittenFile>>> = {
  csv: exportCsv,
  xlsx: exportXlsx,
  pdf: (context) => exportDocument(context, 'pdf'),
  pptx: (context) => exportDocument(context, 'pptx'),
  docx: (context) => exportDocument(context, 'docx'),
};
