import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { QuestionInput } from '../../semantics/questions/index.ts';
import type { ChartQuery, SourceKind } from './chart-spec.ts';

/** A condition of the reader of a chart, with its place in the request. */
export type RunFilter = Omit<QuestionInput['filters'][number], 'expression' | 'fieldId' | 'pointer'> & {
  fieldId: string;
  pointer: string;
  /** Whether the condition must hold for the rows, so that it does not set a parameter of a saved query instead. */
  isOnRows?: boolean;
};

/** The query of a chart as its card asks it. */
export type AskedQuery = ChartQuery & {
  /** Whether the limit keeps the last rows of the order instead of the first. */
  isFromEnd?: true;
};

/** What each kind of source takes; the other members of a query would have no effect. */
const MEMBERS: Readonly<Record<SourceKind, readonly (keyof ChartQuery)[]>> = {
  model: ['params', 'dimensions', 'measures', 'filters', 'resultFilters', 'sort', 'totals', 'pivot', 'limit'],
  dataset: ['dimensions', 'measures', 'filters', 'resultFilters', 'sort', 'totals', 'pivot', 'limit'],
  savedQuery: ['params', 'bindings', 'dimensions', 'measures', 'filters', 'resultFilters', 'sort', 'totals', 'limit'],
  metric: ['grain', 'fill', 'totals', 'limit'],
  blend: ['joinType', 'dimensions', 'measures', 'filters', 'resultFilters', 'sort', 'totals', 'limit'],
};
/** The members of dimensions, measures and filters that a source does not take. */
const NOT_OF: Partial<Record<SourceKind, readonly string[]>> = {
  dataset: ['fieldId', 'measureId', 'side'],
  savedQuery: ['fieldId', 'measureId', 'side'],
  blend: ['column', 'fill'],
};
const WRONG_MEMBERS: Readonly<Record<string, string>> = {
  fieldId: 'belongs to models; name a `column`',
  measureId: 'belongs to models; name a `column`',
  column: 'belongs to datasets and saved queries; name a `fieldId`',
  side: 'belongs to blends; leave it out',
  fill: 'has no effect on blends; leave it out',
};
export const DEFAULT_ROWS = 1000;

export const QUERY = '/chartSpec/query';

/** Members that the source does not take, and names of the other kind of source. */
export function queryIssues({ isFromEnd: _isFromEnd, ...query }: AskedQuery): Issue[] {
  const { kind } = query.source;
  const members = Object.keys(query) as (keyof ChartQuery)[];
  const unused = members.filter((member) => member !== 'source' && !MEMBERS[kind].includes(member));
  const wrong = NOT_OF[kind] ?? ['column', 'side'];
  const placed = [
    ...(['dimensions', 'measures', 'filters'] as const).flatMap((list) =>
      (query[list] ?? []).map((item, index) => ({ item, place: `${list}/${index}` })),
    ),
    ...(query.filters ?? []).flatMap(({ anyOf = [] }, index) =>
      anyOf.map((item, at) => ({ item, place: `filters/${index}/anyOf/${at}` })),
    ),
  ];
  const listed = placed.flatMap(({ item, place }) =>
    wrong.filter((member) => Object.hasOwn(item, member)).map((member) => ({ place, member })),
  );
  return [
    ...unused.map((member) => ({
      pointer: `${QUERY}/${member}`,
      code: 'CONFLICT',
      message: `has no effect on a source of kind ${kind}; known are ${MEMBERS[kind].join(', ')}`,
    })),
    ...bindingIssues(query),
    ...ungroupedIssues(query),
    ...listed.map(({ place, member }) => ({
      pointer: `${QUERY}/${place}/${member}`,
      code: 'CONFLICT',
      message: WRONG_MEMBERS[member]!,
    })),
  ];
}

/** Whether a chart of a saved query groups its rows. */
export const isGroupedQuery = ({ dimensions = [], measures = [] }: ChartQuery): boolean =>
  dimensions.length > 0 || measures.length > 0;

/** Rows as they are do not say how their numbers add up: those of a ratio or of a distinct count do not. */
function ungroupedIssues(query: ChartQuery): Issue[] {
  const { source, totals = 'none' } = query;
  if (source.kind !== 'savedQuery' || totals === 'none' || isGroupedQuery(query)) return [];
  const message = 'needs `measures`, which say how to compute the total of each column';
  return [{ pointer: `${QUERY}/totals`, code: 'REQUIRED', message }];
}

/** A binding leads either to a column or to a parameter. */
const bindingIssues = ({ bindings = [] }: ChartQuery): Issue[] =>
  bindings.flatMap(({ column, parameter, end }, index): Issue[] => {
    const pointer = `${QUERY}/bindings/${index}`;
    if ((column === undefined) === (parameter === undefined))
      return [{ pointer, code: 'REQUIRED', message: 'needs either `column` or `parameter`' }];
    return end !== undefined && parameter === undefined
      ? [{ pointer: `${pointer}/end`, code: 'CONFLICT', message: 'needs a `parameter`' }]
      : [];
  });

/** How a query of the source names a field. */
export const namedField = ({ source, bindings = [] }: ChartQuery, fieldId: string) => {
  if (source.kind === 'dataset') return { column: fieldId };
  if (source.kind !== 'savedQuery') return { fieldId };
  return { column: bindings.find((each) => each.fieldId === fieldId && each.column)?.column ?? fieldId };
};

/** What else of a query decides which rows there are, before conditions and groups. */
export const asSource = ({ source, params, bindings, joinType }: ChartQuery): ChartQuery => ({
  source,
  ...(params && { params }),
  ...(bindings && { bindings }),
  ...(joinType && { joinType }),
});

/** The query as a question to its model, with the filters of the reader. */
export function questionOf(query: ChartQuery, filters: readonly RunFilter[], timezone: string): QuestionInput {
  const named = <T extends { column?: string; fieldId?: string }>({ column, ...item }: T) =>
    column === undefined ? item : { ...item, fieldId: column };
  return {
    dimensions: (query.dimensions ?? []).map(named),
    measures: (query.measures ?? []).map(named),
    filters: [
      ...(query.filters ?? []).map(({ anyOf, ...filter }, index) => ({
        ...withValues(named(filter)),
        ...(anyOf && { anyOf: anyOf.map((each) => withValues(named(each))) }),
        pointer: `${QUERY}/filters/${index}`,
      })),
      ...filters,
    ],
    resultFilters: (query.resultFilters ?? []).map(withValues),
    sort: (query.sort ?? []).map(({ column, direction = 'asc' }) => ({ column, direction })),
    totals: query.totals ?? 'none',
    ...(query.source.kind === 'model' && query.params && { parameters: chosenParameters(query.params) }),
    limit: query.limit ?? DEFAULT_ROWS,
    timezone,
  };
}

/** Null chooses nothing. */
const chosenParameters = (params: NonNullable<ChartQuery['params']>) =>
  Object.fromEntries(Object.entries(params).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

export const withValues = <T extends { values?: QuestionInput['filters'][number]['values'] }>({
  values = [],
  ...filter
}: T) => ({
  ...filter,
  values,
});

/** The codes of errors that name the members of a question. */
const QUESTION_ERRORS: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'BLEND_NOT_ADDITIVE']);

const NAMES_COLUMNS: ReadonlySet<SourceKind> = new Set(['dataset', 'savedQuery']);

/** Members of a question that only the chart has; the filters bring their places. */
const OF_CHART = /^\/(dimensions|measures|resultFilters|sort|totals|pivot|params|limit)\b/;

/**
 * What is wrong with a question, as what is wrong with the chart or with a filter of its reader. The place of an issue
 * is that in the chart or in the request.
 */
export function chartError(error: unknown, query: ChartQuery): unknown {
  if (!(error instanceof AppError) || !QUESTION_ERRORS.has(error.code)) return error;
  const errors = error.errors.map((issue): Issue => {
    const place = issue.pointer.replace(/^\/parameters\//, '/params/');
    const pointer = OF_CHART.test(place) ? `${QUERY}${place}` : place;
    const isNamed = NAMES_COLUMNS.has(query.source.kind) && isOfChart({ pointer });
    return { ...issue, pointer: isNamed ? pointer.replace(/\/fieldId$/, '/column') : pointer };
  });
  const { code, message: detail, members } = error;
  if (code !== 'VALIDATION_FAILED') return new AppError(code, { detail, errors, members, cause: error });
  return new AppError(errors.some(isOfChart) ? 'CHART_SPEC_INVALID' : 'VALIDATION_FAILED', { errors, cause: error });
}

const isOfChart = ({ pointer }: Pick<Issue, 'pointer'>): boolean => pointer.startsWith(QUERY);
