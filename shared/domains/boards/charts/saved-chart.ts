import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { DATASETS, type ModelDefinition } from '../../semantics/models/index.ts';
import { type Answer, canonicalTimezone, fileContent, rowsAsCsv } from '../../semantics/queries/index.ts';
import {
  type AnswerColumn,
  answerRows,
  compileMatchingRows,
  compileOverRows,
  modelOfTable,
  type QuestionInput,
  rowsToRead,
} from '../../semantics/questions/index.ts';
import {
  columnsOfSaved,
  type OverSaved,
  runSaved,
  SAVED_ROWS,
  type SavedQuery,
} from '../../semantics/saved-queries/index.ts';
import { chartError, DEFAULT_ROWS, isGroupedQuery, QUERY, questionOf } from './chart-question.ts';
import {
  type ChartDataColumn,
  type ChartDeps,
  type ChartFile,
  type ChartRows,
  type ReadChart,
  type ReadChartFile,
  shownColumns,
  timezoneOf,
  withBins,
} from './chart-reading.ts';
import { type ChartQuery, MAX_CHART_ROWS } from './chart-spec.ts';
import { savedFilters, settersOf } from './saved-filters.ts';
import { spreadsheetOf } from './spreadsheet.ts';

/** Throws `SAVED_QUERY_NOT_FOUND`, and `CHART_SPEC_INVALID` for bindings to parameters that it does not have. */
export async function findSaved(
  deps: Pick<ChartDeps, 'savedQueries'>,
  { principal, query }: Pick<ReadChart, 'principal' | 'query'>,
): Promise<SavedQuery> {
  const { source, bindings = [] } = query;
  const saved = await deps.savedQueries.get(principal.workspaceId, source.id);
  if (!saved) throw new AppError('SAVED_QUERY_NOT_FOUND');
  const names = saved.params.map(({ name }) => name);
  const errors = bindings.flatMap(({ parameter }, index): Issue[] => {
    if (parameter === undefined || names.includes(parameter)) return [];
    const message = `is not a parameter of the saved query${suggestion(parameter, names)}`;
    return [{ pointer: `${QUERY}/bindings/${index}/parameter`, code: 'UNKNOWN', message }];
  });
  if (errors.length > 0) throw new AppError('CHART_SPEC_INVALID', { errors });
  return saved;
}

/** What filters of readers can be on: a column of the result, or a parameter. */
export interface SavedField {
  name: string;
  type: string;
  /** Whether filters set a parameter instead of choosing among the rows. */
  isParameter: boolean;
  /** Whether there is a column with the values. */
  isColumn: boolean;
}

/** The fields by how filters name them. Throws `SAVED_QUERY_NOT_FOUND` and the errors of the statement. */
export async function savedFields(
  deps: ChartDeps,
  { principal, query }: Pick<ReadChart, 'principal' | 'query'>,
): Promise<ReadonlyMap<string, SavedField>> {
  const saved = await findSaved(deps, { principal, query });
  const columns = namedOnce(await columnsOf(deps, saved, { principal, query, timeoutMs: COLUMNS_MS }));
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const { bindings = [] } = query;
  const ids = [...types.keys(), ...saved.params.map(({ name }) => name), ...bindings.map(({ fieldId }) => fieldId)];
  return new Map(
    [...new Set(ids)].flatMap((id) => {
      const column = bindings.find((each) => each.fieldId === id && each.column !== undefined)?.column ?? id;
      const [setter] = settersOf(saved, query, id);
      const name = setter?.parameter ?? column;
      const type = setter ? saved.params.find((each) => each.name === name)!.type : types.get(column);
      const isColumn = types.has(column);
      return type === undefined ? [] : [[id, { name, type, isParameter: setter !== undefined, isColumn }] as const];
    }),
  );
}

const COLUMNS_MS = 20_000;

/** Those of MySQL are not asked for: questions are not written in its dialect. */
async function columnsOf(
  deps: ChartDeps,
  saved: SavedQuery,
  chart: Pick<ReadChart, 'principal' | 'query' | 'timezone' | 'timeoutMs'>,
): Promise<Answer['columns']> {
  if ((await dialectOf(deps, saved)) === undefined) return [];
  const { principal, query, timeoutMs } = chart;
  const timezone = canonicalTimezone(timezoneOf(chart));
  const asked = { principal, timeoutMs, timezone, params: query.params ?? {} };
  return columnsOfSaved(deps, saved, asked).catch((error: unknown) => {
    throw parameterError(error);
  });
}

async function dialectOf(
  { live }: Pick<ChartDeps, 'live'>,
  { workspaceId, sourceId }: SavedQuery,
): Promise<'duckdb' | 'postgres' | undefined> {
  if (sourceId === null) return 'duckdb';
  const { type } = await live.find(workspaceId, sourceId);
  return type === 'postgres' ? 'postgres' : undefined;
}

/** A name that two columns have, as databases compare names, means neither. */
function namedOnce<T extends { name: string }>(columns: readonly T[]): T[] {
  const names = columns.map(({ name }) => name.toLowerCase());
  return columns.filter((_, index) => names.indexOf(names[index]!) === names.lastIndexOf(names[index]!));
}

/** The rows of the result as a model of one table, whose fields have the names of the columns. */
function modelOfRows(saved: SavedQuery, columns: Answer['columns']): ModelDefinition {
  const { id, workspaceId, sourceId, createdBy, updatedBy, createdAt, updatedAt, revision } = saved;
  const table = { id, workspaceId, name: SAVED_ROWS, sourceId: sourceId ?? DATASETS, alias: 'rows', columns };
  const whole = modelOfTable({ ...table, createdBy, updatedBy, createdAt, updatedAt, revision });
  const once = new Set(namedOnce(columns).map(({ name }) => name));
  return { ...whole, fields: new Map([...whole.fields].filter(([name]) => once.has(name))) };
}

/** What a chart runs: the saved query itself, or a statement over its rows. */
interface Asked {
  saved: SavedQuery;
  params: NonNullable<ChartQuery['params']>;
  timezone: string;
  over?: OverSaved;
  /** Set if the rows are grouped. */
  grouped?: { input: QuestionInput; columns: readonly AnswerColumn[]; warnings: readonly string[] };
}

/** Throws `CHART_SPEC_INVALID`, and `VALIDATION_FAILED` for filters of the reader. */
async function ask(deps: ChartDeps, chart: ReadChart, limit: number): Promise<Asked> {
  const { query } = chart;
  const saved = await findSaved(deps, chart);
  const timezone = canonicalTimezone(timezoneOf(chart));
  const { params, onRows, issues } = savedFilters(saved, query, chart.filters);
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  const input = { ...questionOf(query, onRows, timezone), limit, isFromEnd: query.isFromEnd === true };
  const isGrouped = isGroupedQuery(query);
  if (!isGrouped) assertOnRows(query);
  if (!isGrouped && input.filters.length === 0 && input.sort.length === 0) return { saved, params, timezone };
  const dialect = await dialectOf(deps, saved);
  if (dialect === undefined) throw new AppError('SOURCE_NOT_QUERYABLE', { detail: NO_DIALECT });
  const definition = modelOfRows(saved, await columnsOf(deps, saved, chart));
  const options = { dialect, clock: { now: deps.now(), timezone } };
  try {
    if (!isGrouped) return { saved, params, timezone, over: compileMatchingRows(definition, input, options) };
    const { sql, params: values, columns, warnings } = compileOverRows(definition, input, options);
    return { saved, params, timezone, over: { sql, params: values }, grouped: { input, columns, warnings } };
  } catch (error) {
    throw chartError(error, query);
  }
}

const NO_DIALECT = 'Rows of saved queries over MySQL cannot be filtered, grouped or sorted. Load them into a dataset.';

function assertOnRows({ resultFilters = [] }: ChartQuery): void {
  if (resultFilters.length === 0) return;
  const message = 'is a condition on groups; without dimensions and measures, use `filters`';
  throw new AppError('CHART_SPEC_INVALID', {
    errors: [{ pointer: `${QUERY}/resultFilters`, code: 'CONFLICT', message }],
  });
}

export async function readSaved(deps: ChartDeps, chart: ReadChart): Promise<ChartRows> {
  const { query } = chart;
  const limit = query.limit ?? (isGroupedQuery(query) ? DEFAULT_ROWS : MAX_CHART_ROWS);
  const asked = await ask(deps, chart, limit);
  const answer = await run(deps, chart, asked, {
    limit: asked.grouped ? rowsToRead(asked.grouped.input) : limit,
    format: 'rows',
  });
  const { asOf, cache } = answer;
  const known = { asOf, cache, timezone: asked.timezone };
  if (!asked.grouped) {
    const { columns, payload: rowsJson, rowCount, truncated, warnings } = answer;
    return { ...known, columns: plainColumns(columns), rowsJson, rowCount, truncated, warnings: [...warnings] };
  }
  const { input, columns, warnings } = asked.grouped;
  const { rowsJson, rowCount, totals, truncated } = answerRows(answer, input, columns);
  return {
    ...known,
    columns: withBins(shownColumns(columns), query),
    rowsJson,
    rowCount,
    ...(input.totals !== 'none' && { totals }),
    truncated,
    warnings: [...warnings, ...answer.warnings],
  };
}

/** All rows as CSV, in a file if they are many. */
export async function savedFile(
  deps: ChartDeps,
  { query: { isFromEnd: _isFromEnd, ...query }, ...read }: ReadChartFile,
): Promise<ChartFile> {
  const chart = { ...read, query };
  const limit = chart.query.limit ?? chart.maxRows;
  const { dimensions = [], measures = [] } = chart.query;
  if (dimensions.some(({ fill }) => fill) || measures.some(({ hidden }) => hidden))
    return readSavedAsCsv(deps, chart, Math.min(limit, MAX_CHANGED_ROWS));
  const asked = await ask(deps, chart, limit);
  const { timezone } = asked;
  const answer = await run(deps, chart, asked, { limit, format: 'csv', ...spreadsheetOf(timezone, chart) });
  const { rowCount, truncated, asOf } = answer;
  const columns = asked.grouped ? withBins(asked.grouped.columns, chart.query) : plainColumns(answer.columns);
  const warnings = [...(asked.grouped?.warnings ?? []), ...answer.warnings];
  return { columns, content: fileContent(answer), rowCount, truncated, asOf, timezone, warnings };
}

/** Rows of groups that are changed here pass through, so that there are at most so many. */
const MAX_CHANGED_ROWS = 50_000;

async function readSavedAsCsv(deps: ChartDeps, chart: ReadChartFile, limit: number): Promise<ChartFile> {
  const { rowsJson, cache: _cache, ...rows } = await readSaved(deps, { ...chart, query: { ...chart.query, limit } });
  const { spreadsheet } = spreadsheetOf(rows.timezone, chart);
  const content = Buffer.from(rowsAsCsv(rows, JSON.parse(rowsJson) as unknown[][], spreadsheet));
  return { ...rows, content };
}

function run(
  deps: ChartDeps,
  { principal, timeoutMs, maxAgeSeconds }: ReadChart,
  { saved, params, timezone, over }: Asked,
  { format, ...options }: { limit: number; format: 'rows' | 'csv' } & ReturnType<typeof spreadsheetOf>,
): Promise<Answer> {
  const aged = maxAgeSeconds === undefined ? {} : { maxAgeSeconds };
  return runSaved(deps, saved, { principal, timeoutMs, timezone, params, over, ...aged, ...options }, format).catch(
    (error: unknown) => {
      throw parameterError(error);
    },
  );
}

const plainColumns = (columns: Answer['columns']): ChartDataColumn[] =>
  columns.map(({ name, type }) => ({ name, type, role: roleOf(type), format: null }));

/** Wrong values of parameters are an error of the chart; what its reader gives is checked before. */
function parameterError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return error;
  const errors = error.errors.map((issue) => ({ ...issue, pointer: `${QUERY}${issue.pointer}` }));
  return new AppError('CHART_SPEC_INVALID', { errors, cause: error });
}

export const roleOf = (type: string): 'dimension' | 'measure' =>
  /^(integer|double|decimal)/.test(type) ? 'measure' : 'dimension';
