import { fileBaseName } from '../../data/documents/file-names.ts';
import { seenParts } from '../cards/index.ts';
import type { ExportCommand, ExportContext, ExportDeps, ExportedFile } from './export-command.ts';
import { exportCsv } from './export-csv.ts';
import { exportPdf } from './export-pdf.ts';
import { exportXlsx } from './export-xlsx.ts';

/**
 * A dashboard as a file with what the caller may see of it. A card that fails is reported in the file. Throws the not-found errors of
 * the dashboard, its pages and its cards, and `CARD_WITHOUT_ROWS` for a file of rows without any.
 */
export async function exportDashboard(deps: ExportDeps, command: ExportCommand): Promise<ExportedFile> {
  const { principal, dashboardId: id, timeoutMs, format } = command;
  const generatedAt = deps.now();
  const dashboard = await seenParts(deps, { principal, id });
  const context: ExportContext = {
    deps,
    command,
    dashboard,
    generatedAt,
    leftMs: () => timeoutMs - (deps.now().getTime() - generatedAt.getTime()),
  };
  const { extension, ...file } = await WRITERS[format](context);
  const { name } = dashboard;
  return { ...file, fileName: `${fileBaseName(name, 'Dashboard')}.${extension}`, dashboard: { id, name } };
}

const WRITERS = { csv: exportCsv, xlsx: exportXlsx, pdf: exportPdf } as const;
