import { withTotals } from '../../../data/charts/total-rows.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { rowsAsCsv } from '../../semantics/queries/index.ts';
import { answerAsCsv } from '../../semantics/questions/index.ts';
import { chartError, queryIssues, questionOf } from './chart-question.ts';
import { type ChartDeps, type ChartFile, type ReadChartFile, timezoneOf, withBins } from './chart-reading.ts';
import { MAX_CHART_ROWS, type SourceKind } from './chart-spec.ts';
import { withChosenParameters } from './model-parameters.ts';
import { definitionsOf, readChart } from './read-chart.ts';
import { lacksRows } from './row-limit.ts';
import { savedFile } from './saved-chart.ts';
import { spreadsheetOf } from './spreadsheet.ts';

/**
 * All rows of a chart that the caller may see, as CSV: a chart shows the first rows, a file contains all up to a limit.
 * Throws like `readChart`.
 */
export async function readChartFile(deps: ChartDeps, chart: ReadChartFile): Promise<ChartFile> {
  const { query } = chart;
  const errors = queryIssues(query);
  if (errors.length > 0) throw new AppError('CHART_SPEC_INVALID', { errors });
  const file = await WRITERS[query.source.kind](deps, chart);
  return { ...file, truncated: lacksRows(query, file) };
}

const WRITERS: Readonly<Record<SourceKind, (deps: ChartDeps, chart: ReadChartFile) => Promise<ChartFile>>> = {
  savedQuery: (deps, chart) => (passesThrough(chart) ? tableFile(deps, chart) : savedFile(deps, chart)),
  metric: rowsFile,
  blend: blendFile,
  model: modelFile,
  dataset: modelFile,
};

async function modelFile(deps: ChartDeps, read: ReadChartFile): Promise<ChartFile> {
  const chart = await withChosenParameters(deps, read);
  const { principal, query, filters, timeoutMs, maxAgeSeconds, maxRows } = chart;
  if (query.pivot || passesThrough(chart)) return tableFile(deps, chart);
  const timezone = timezoneOf(chart);
  const asked = { ...deps, definitions: await definitionsOf(deps, chart) };
  const question = {
    ...questionOf(query, filters, timezone),
    limit: query.limit ?? maxRows,
    modelId: query.source.id,
    principal,
    timeoutMs,
    maxAgeSeconds,
    ...spreadsheetOf(timezone, chart),
  };
  const { columns, warnings, ...file } = await answerAsCsv(asked, question).catch((error: unknown) => {
    throw chartError(error, query);
  });
  return { ...file, columns: withBins(columns, query), warnings: [...warnings] };
}

/** Whether the rows are put in order here. A file without a limit has all of them, from whichever end they are read. */
const passesThrough = ({ query: { totals = 'none', isFromEnd, limit } }: ReadChartFile): boolean =>
  totals !== 'none' || (isFromEnd === true && limit !== undefined);

/** Tables with totals or groups of columns are small enough to pass through here, and so are numbers of a few rows. */
function tableFile(deps: ChartDeps, chart: ReadChartFile): Promise<ChartFile> {
  const limit = Math.min(chart.maxRows, MAX_TABLE_ROWS);
  return rowsFile(deps, { ...chart, query: { limit, ...chart.query } });
}

const MAX_TABLE_ROWS = 50_000;

/** The groups of a blend pass through here as rows, so a file has at most as many as a chart. */
function blendFile(deps: ChartDeps, chart: ReadChartFile): Promise<ChartFile> {
  const limit = Math.min(chart.maxRows, MAX_CHART_ROWS);
  return rowsFile(deps, { ...chart, query: { limit, ...chart.query } });
}

/** The points of a metric are few. Only files for people have totals among their rows. */
async function rowsFile(deps: ChartDeps, chart: ReadChartFile): Promise<ChartFile> {
  const { rowsJson, cache: _cache, ...rows } = await readChart(deps, chart);
  const { spreadsheet } = spreadsheetOf(rows.timezone, chart);
  const data = { ...rows, rows: JSON.parse(rowsJson) as unknown[][] };
  const shown = spreadsheet ? withTotals(data) : data;
  const csv = rowsAsCsv(rows, shown.rows, spreadsheet);
  return { ...rows, content: Buffer.from(csv) };
}
