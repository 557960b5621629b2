import { readable } from '../../../../shared/domains/boards/cards/index.ts';
import {
  type ChartDeps,
  type ChartRows,
  type ReadChart,
  readChart,
} from '../../../../shared/domains/boards/charts/index.ts';
import type { ErrorCode } from '../../../../shared/platform/errors/catalogue.ts';

/**
 * The rows of a chart for an operation that does something else with them. Throws `CARD_UNREADABLE`, and the codes that
 * pass.
 */
export const rowsToUse = (
  deps: ChartDeps,
  chart: ReadChart,
  passes?: (code: ErrorCode) => boolean,
): Promise<ChartRows> => readable(readChart(deps, chart), 'CARD_UNREADABLE', passes);
