import {
  type CopyDeps,
  hiddenTables,
  mayQuoteRows,
  readsOfDataset,
  withoutQuotedRows,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Dataset, LastRefresh } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';

type Report = Partial<Pick<LastRefresh, 'changedValues'>> & { error: { code: string; message: string } | null };

/**
 * What a refresh reports, for the caller: its error and the examples of changed values quote rows of the dataset and of
 * what it reads, of which the caller may see less than others.
 */
export async function withoutHiddenRows<R extends Report>(
  deps: CopyDeps,
  principal: Principal,
  dataset: Pick<Dataset, 'name' | 'source'>,
  report: R,
): Promise<R> {
  const { error, changedValues } = report;
  if (!(error && mayQuoteRows(error)) && !changedValues) return report;
  const tables = await hiddenTables(deps, principal, readsOfDataset(dataset));
  if (tables.length === 0) return report;
  return {
    ...report,
    error: error && withoutQuotedRows(error, tables),
    ...(changedValues && { changedValues: changedValues.map((each) => ({ ...each, examples: [] })) }),
  };
}
