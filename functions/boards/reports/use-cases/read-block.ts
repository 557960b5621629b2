import { type BlockReading, blockRows, seenReport } from '../../../../shared/domains/boards/reports/index.ts';
import { JsonText } from '../../../../shared/platform/http/json-text.ts';
import type { ReportDeps } from './context.ts';

/** Throws `REPORT_NOT_FOUND`, and what `blockRows` throws. */
export async function readBlock(
  deps: ReportDeps,
  { id, ...reading }: BlockReading & { id: string },
): Promise<JsonText> {
  const { principal, blockId } = reading;
  const { rowsJson, ...about } = await blockRows(deps, await seenReport(deps, { principal, id }), reading);
  return JsonText.of({ blockId, ...about }, { rows: rowsJson });
}
