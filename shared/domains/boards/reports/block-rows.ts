import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type CardRows, readable, rowsOf, withMapWarnings } from '../cards/index.ts';
import type { ChartDeps } from '../charts/index.ts';
import { parameterValues } from './parameter-values.ts';
import type { Report } from './records.ts';
import { reportParts } from './report-parts.ts';
import { blockOf, isDataBlock } from './report-sight.ts';
import type { GivenParameter, ReportFilter } from './schemas.ts';

export interface BlockReading {
  principal: Principal;
  blockId: string;
  parameters: readonly GivenParameter[];
  filters: readonly ReportFilter[];
  /** The maximum number of rows, if the chart has none or a higher one. */
  limit?: number | undefined;
  timezone?: string | undefined;
  timeoutMs: number;
  maxAgeSeconds?: number | undefined;
}

/**
 * The rows of a block that the principal may see. Throws `REPORT_BLOCK_NOT_FOUND`, `REPORT_BLOCK_WITHOUT_ROWS`,
 * `VALIDATION_FAILED` for wrong values, and otherwise `REPORT_BLOCK_UNREADABLE`.
 */
export async function blockRows(
  deps: ChartDeps,
  report: Report,
  { blockId, parameters, limit, filters, ...reading }: BlockReading,
): Promise<CardRows> {
  const block = blockOf(report, blockId);
  if (!isDataBlock(block)) throw new AppError('REPORT_BLOCK_WITHOUT_ROWS');
  const parts = reportParts({ ...report, layout: { blocks: [block] } }, parameterValues(report, parameters, [block]));
  const [card] = parts.cards;
  const rows = rowsOf(deps, parts, card!, { ...reading, rowLimit: limit, filters: [...filters] });
  return withMapWarnings(
    card!,
    await readable(rows, 'REPORT_BLOCK_UNREADABLE', (code) => code === 'VALIDATION_FAILED'),
  );
}
