import type { ColumnPivot, TotalRow } from '../../../data/charts/chart-columns.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { BlendRepository, RunBlend } from '../../semantics/blends/index.ts';
import type { MetricRepository } from '../../semantics/metrics/index.ts';
import type { FileContent } from '../../semantics/queries/index.ts';
import type { AnswerColumn, CompileDeps, QuestionDeps } from '../../semantics/questions/index.ts';
import type { SavedQueryRepository } from '../../semantics/saved-queries/index.ts';
import type { AskedQuery, RunFilter } from './chart-question.ts';
import type { ChartQuery } from './chart-spec.ts';
import type { RowLimit } from './row-limit.ts';

export interface ChartDeps extends QuestionDeps {
  savedQueries: Pick<SavedQueryRepository, 'get'>;
  metrics: Pick<MetricRepository, 'get'>;
  blends: Pick<BlendRepository, 'get'>;
  runBlend: RunBlend;
}

/** What checking a chart needs, which reads no rows. */
export type ChartCheckDeps = CompileDeps &
  Pick<ChartDeps, 'definitions' | 'datasets' | 'savedQueries' | 'metrics' | 'blends'>;

export interface ReadChart extends RowLimit {
  principal: Principal;
  query: AskedQuery;
  filters: readonly RunFilter[];
  /** By default that of the metric, of the workspace, or UTC. */
  timezone?: string | undefined;
  timeoutMs: number;
  maxAgeSeconds?: number | undefined;
}

export type ChartDataColumn = Omit<AnswerColumn, 'format'> & {
  format: AnswerColumn['format'] | null;
  binWidth?: number;
  pivot?: ColumnPivot;
};

export interface ChartRows {
  columns: ChartDataColumn[];
  /** JSON text: an array of arrays in the order of the columns. */
  rowsJson: string;
  rowCount: number;
  /** Of charts that ask for them. */
  totals?: readonly TotalRow[];
  truncated: boolean;
  asOf: string;
  cache: 'hit' | 'shared' | 'miss';
  timezone: string;
  warnings: string[];
}

export interface ReadChartFile extends ReadChart {
  /** How many rows at most, where the chart names no limit of its own. */
  maxRows: number;
  /** Set for CSV that people open in a spreadsheet. */
  truncationNote?: string;
}

/** The rows of a chart as CSV. */
export interface ChartFile extends Omit<ChartRows, 'rowsJson' | 'cache'> {
  content: FileContent;
}

/** The time zone of a chart that has none of its own. */
export const timezoneOf = ({ timezone, principal }: Pick<ReadChart, 'timezone' | 'principal'>): string =>
  timezone ?? principal.timezone ?? 'UTC';

/** Without the measures that are only sorted and filtered by. */
export const shownColumns = (columns: readonly AnswerColumn[]): AnswerColumn[] =>
  columns.filter(({ hidden }) => !hidden);

export const withBins = (columns: readonly AnswerColumn[], { dimensions = [] }: ChartQuery): ChartDataColumn[] =>
  columns.map((column, index) => {
    const width = dimensions[index]?.bin?.width;
    return width === undefined ? column : { ...column, binWidth: width };
  });
