import { suggestLooks } from '../../../../../shared/data/charts/suggest-look.ts';
import { type DrawDeps, imageBeside, readable } from '../../../../../shared/domains/boards/cards/index.ts';
import {
  type ChartDeps,
  type ChartQuery,
  type ChartRows,
  MAX_CHART_ROWS,
  readChart,
  roleOf,
} from '../../../../../shared/domains/boards/charts/index.ts';
import { runQuery } from '../../../../../shared/domains/semantics/queries/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../../shared/platform/errors/app-error.ts';
import type { ErrorCode } from '../../../../../shared/platform/errors/catalogue.ts';
import { JsonText } from '../../../../../shared/platform/http/json-text.ts';
import { isOfQuery, ofRequest } from '../../use-cases/source-errors.ts';
import type { SuggestCharts } from '../schemas.ts';
import { cardOf } from './card-of-chart.ts';
import { checkSource, type SourceDeps } from './chart-source.ts';

type Command = SuggestCharts & { principal: Principal };

/** Throws `VALIDATION_FAILED`, `FORBIDDEN` for statements, the not-found error of the source, and `CARD_UNREADABLE`. */
export async function suggestCharts(deps: ChartDeps & DrawDeps & SourceDeps, command: Command): Promise<JsonText> {
  const { principal, query, timezone, timeoutMs, image: wanted } = command;
  checkCommand(command);
  if (query === undefined && !isPermitted('query:run', principal))
    throw new AppError('FORBIDDEN', { detail: 'You may not run statements. Send a `query` instead of `sql`.' });
  await checkSource(deps, principal, query?.source.kind ?? 'statement');
  const reading = query
    ? readChart(deps, { principal, query, timezone, timeoutMs, filters: [] })
    : rowsOfStatement(deps, command);
  const rows = await readable(reading, 'CARD_UNREADABLE', isOfRequest).catch((error: unknown) => {
    throw ofRequest(error);
  });
  const { columns, rowCount, truncated, asOf, warnings } = rows;
  const suggestions = [];
  let characters = 0;
  for (const { look, reason } of suggestionsFor(query, rows)) {
    const { cardType, ...drawn } = look;
    const card = cardOf({ version: 1, query: query ?? NO_QUERY, ...drawn }, principal, deps.now());
    const place = { workspaceId: principal.workspaceId, theme: null, image: wanted };
    const image = await imageBeside(deps, card, { ...rows, ignoredFilters: [] }, place);
    characters += image?.length ?? 0;
    suggestions.push({ cardType, look: drawn, reason, ...(characters <= MAX_IMAGE_CHARACTERS && { image }) });
  }
  return JsonText.of({ suggestions, columns, rowCount, truncated, asOf, warnings }, {});
}

/** Of all pictures: the reply has at most 6 MB. */
const MAX_IMAGE_CHARACTERS = 4 * 1024 * 1024;

const isOfRequest = (code: ErrorCode): boolean => code === 'VALIDATION_FAILED' || isOfQuery(code);

/** Rows that were left out may repeat groups, or have further ones. Only tables show totals and groups of columns. */
function suggestionsFor(query: ChartQuery | undefined, { columns, rowsJson, truncated }: ChartRows) {
  const { pivot, totals = 'none' } = query ?? {};
  const isTable = truncated || pivot !== undefined || totals !== 'none';
  return suggestLooks({ columns, rows: isTable ? [] : (JSON.parse(rowsJson) as unknown[][]) });
}

/** How the rows of a statement are drawn does not depend on where they come from. */
const NO_QUERY: ChartQuery = { source: { kind: 'savedQuery', id: '' } };

/** Throws `VALIDATION_FAILED` unless there is either a query or a statement. */
function checkCommand({ query, sql, sourceId, params }: Command): void {
  const errors: Issue[] = [];
  if ((query === undefined) === (sql === undefined))
    errors.push({ pointer: '', code: 'REQUIRED', message: 'needs either `query` or `sql`, and not both' });
  const unused = { sourceId: sourceId !== undefined, params: Object.keys(params).length > 0 };
  if (sql === undefined) {
    for (const [name, isGiven] of Object.entries(unused))
      if (isGiven) errors.push({ pointer: `/${name}`, code: 'CONFLICT', message: 'needs `sql`' });
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

async function rowsOfStatement(deps: ChartDeps, command: Command): Promise<ChartRows> {
  const { principal, sql = '', sourceId, params, timeoutMs } = command;
  const timezone = command.timezone ?? principal.timezone ?? 'UTC';
  const { workspaceId } = principal;
  const target = sourceId === undefined ? {} : { sourceId };
  const statement = { workspaceId, principal, sql, params, ...target, limit: MAX_CHART_ROWS, timeoutMs, timezone };
  const {
    columns,
    payload: rowsJson,
    rowCount,
    truncated,
    warnings,
    asOf,
    cache,
  } = await runQuery(deps, statement, 'rows');
  return {
    columns: columns.map(({ name, type }) => ({ name, type, role: roleOf(type), format: null })),
    rowsJson,
    rowCount,
    truncated,
    asOf,
    cache,
    timezone,
    warnings,
  };
}
