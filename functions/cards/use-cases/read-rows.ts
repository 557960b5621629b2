import { type ChartDeps, type ChartRows, type ReadChart, readChart } from '../../../shared/domains/charts/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { type ErrorCode, errorKind } from '../../../shared/platform/errors/catalogue.ts';

/**
 * The rows of a chart for an operation that does something else with them: whatever prevents reading is one error of this operation,
 * with the reason. Throws `CARD_UNREADABLE`, and the codes that pass.
 */
export async function rowsToUse(
  deps: ChartDeps,
  chart: ReadChart,
  passes: (code: ErrorCode) => boolean = () => false,
): Promise<ChartRows> {
  return readChart(deps, chart).catch((cause: unknown) => {
    if (!(cause instanceof AppError) || passes(cause.code) || errorKind(cause.code) === 'unavailable') throw cause;
    throw new AppError('CARD_UNREADABLE', { detail: cause.message, errors: cause.errors, cause });
  });
}
