import { AppError } from '../../../platform/errors/app-error.ts';
import { hasRows } from '../cards/index.ts';
import {
  blockOf,
  chosenParameters,
  type GivenParameter,
  isDataBlock,
  parameterValues,
  type ReportReaderDeps,
  reportParts,
  seenReport,
} from '../reports/index.ts';
import type { ExportedFile, ExportOptions, WriterDeps } from './export-command.ts';
import { exportParts } from './export-parts.ts';
import { needsRows } from './formats.ts';

export interface ReportExport extends Omit<ExportOptions, 'pageId' | 'cardIds'> {
  reportId: string;
  blockIds?: readonly string[] | undefined;
  parameters: readonly GivenParameter[];
}

/**
 * A report as a file with what the caller may see of it. Throws `REPORT_NOT_FOUND`, `REPORT_BLOCK_NOT_FOUND`,
 * `REPORT_BLOCK_WITHOUT_ROWS` for a file of rows without any, and what `exportParts` throws.
 */
export async function exportReport(
  deps: WriterDeps & ReportReaderDeps,
  { reportId: id, blockIds, parameters, ...options }: ReportExport,
): Promise<ExportedFile> {
  const report = await seenReport(deps, { principal: options.principal, id });
  const blocks = blockIds?.map((blockId) => blockOf(report, blockId)) ?? report.layout.blocks;
  const wanted = { ...report, layout: { blocks: report.layout.blocks.filter((block) => blocks.includes(block)) } };
  const values = parameterValues(report, parameters, wanted.layout.blocks.filter(isDataBlock));
  const parts = { ...reportParts(wanted, values), chosen: chosenParameters(wanted, values) };
  if (needsRows(options.format) && !parts.cards.some(hasRows)) throw new AppError('REPORT_BLOCK_WITHOUT_ROWS');
  const file = await exportParts(deps, options, { parts, kind: 'Report' });
  return { ...file, source: { id, name: report.name } };
}
