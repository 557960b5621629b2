import { fileBaseName } from '../../../data/documents/file-names.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { filtersInForce } from '../cards/index.ts';
import type {
  ExportContext,
  ExportedFile,
  ExportOptions,
  SeenDashboard,
  WriterDeps,
  WrittenFile,
} from './export-command.ts';
import { exportCsv } from './export-csv.ts';
import { exportDocument } from './export-document.ts';
import { exportImages } from './export-images.ts';
import { exportXlsx } from './export-xlsx.ts';
import { exportedPages } from './exported-cards.ts';
import type { ExportFormat } from './formats.ts';

/**
 * Cards as a file. A card that fails is reported in the file. Throws `CARD_WITHOUT_ROWS` for a file of rows without
 * any, `RESULT_TOO_LARGE` for more than `maxBytes`, and `EXPORT_TOO_SLOW` for a file that takes longer than
 * `timeoutMs`. `kind` names the file if the name of the parts has no characters for it.
 */
export async function exportParts(
  deps: WriterDeps,
  command: ExportOptions,
  { parts, kind }: { parts: SeenDashboard; kind: string },
): Promise<Omit<ExportedFile, 'source'>> {
  const generatedAt = deps.now();
  const context: ExportContext = {
    deps,
    command,
    dashboard: { ...parts, timezone: command.otherwiseIn ?? parts.timezone },
    generatedAt,
    inForce: async () => {
      const { principal, filters } = command;
      const cards = exportedPages(parts, command).flatMap((page) => page.cards);
      return [...(parts.chosen ?? []), ...(await filtersInForce(deps, { principal, parts, filters }, cards))];
    },
    ...exportLimits(command, () => deps.now().getTime() - generatedAt.getTime()),
  };
  const { extension, ...file } = await WRITERS[command.format](context);
  return { ...file, fileName: `${fileBaseName(parts.name, kind)}.${extension}` };
}

/** The limits of an export; `passedMs` is how long it has taken. */
export function exportLimits(
  { timeoutMs, maxBytes = Number.POSITIVE_INFINITY, signal }: Pick<ExportOptions, 'timeoutMs' | 'maxBytes' | 'signal'>,
  passedMs: () => number,
): Pick<ExportContext, 'leftMs' | 'check'> {
  const leftMs = () => timeoutMs - passedMs();
  return {
    leftMs,
    check(bytesWritten) {
      signal?.throwIfAborted();
      if (bytesWritten > maxBytes) throw new AppError('RESULT_TOO_LARGE');
      if (leftMs() <= 0) throw new AppError('EXPORT_TOO_SLOW');
    },
  };
}

const WRITERS: Readonly<Record<ExportFormat, (context: ExportContext) => Promise<WrittenFile>>> = {
  csv: exportCsv,
  xlsx: exportXlsx,
  pdf: (context) => exportDocument(context, 'pdf'),
  pptx: (context) => exportDocument(context, 'pptx'),
  docx: (context) => exportDocument(context, 'docx'),
  png: (context) => exportImages(context, 'png'),
  svg: (context) => exportImages(context, 'svg'),
};
