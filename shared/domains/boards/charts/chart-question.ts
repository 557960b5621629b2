import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { QuestionInput } from '../../semantics/questions/index.ts';
import type { ChartQuery, SourceKind } from './chart-spec.ts';

/** A filter that a reader of the chart has set. */
export type RunFilter = Omit<QuestionInput['filters'][number], 'expression' | 'fieldId'> & { fieldId: string };

/** What each kind of source takes; the other members of a query would have no effect. */
const MEMBERS: Readonly<Record<SourceKind, readonly (keyof ChartQuery)[]>> = {
  model: ['dimensions', 'measures', 'filters', 'resultFilters', 'sort', 'limit'],
  dataset: ['dimensions', 'measures', 'filters', 'resultFilters', 'sort', 'limit'],
  savedQuery: ['params', 'limit'],
  metric: ['grain', 'fill', 'limit'],
};
const DEFAULT_ROWS = 1000;

export const QUERY = '/chartSpec/query';

/** Members that the source does not take, and names of the other kind of source. */
export function queryIssues(query: ChartQuery): Issue[] {
  const { kind } = query.source;
  const members = Object.keys(query) as (keyof ChartQuery)[];
  const unused = members.filter((member) => member !== 'source' && !MEMBERS[kind].includes(member));
  const wrong = kind === 'dataset' ? ['fieldId', 'measureId'] : ['column'];
  const listed = (['dimensions', 'measures', 'filters'] as const).flatMap((list) =>
    (query[list] ?? []).flatMap((item, index) =>
      wrong.filter((member) => Object.hasOwn(item, member)).map((member) => `${list}/${index}/${member}`),
    ),
  );
  return [
    ...unused.map((member) => ({
      pointer: `${QUERY}/${member}`,
      code: 'CONFLICT',
      message: `has no effect on a source of kind ${kind}; known are ${MEMBERS[kind].join(', ')}`,
    })),
    ...listed.map((place) => ({
      pointer: `${QUERY}/${place}`,
      code: 'CONFLICT',
      message: kind === 'dataset' ? 'belongs to models; name a `column`' : 'belongs to datasets; name a `fieldId`',
    })),
  ];
}

/** The query as a question to its model, with the filters of the reader last. */
export function questionOf(query: ChartQuery, filters: readonly RunFilter[], timezone: string): QuestionInput {
  const named = <T extends { column?: string; fieldId?: string }>({ column, ...item }: T) =>
    column === undefined ? item : { ...item, fieldId: column };
  return {
    dimensions: (query.dimensions ?? []).map(named),
    measures: (query.measures ?? []).map(named),
    filters: [...(query.filters ?? []).map((filter) => withValues(named(filter))), ...filters],
    resultFilters: (query.resultFilters ?? []).map(withValues),
    sort: (query.sort ?? []).map(({ column, direction = 'asc' }) => ({ column, direction })),
    totals: 'none',
    limit: query.limit ?? DEFAULT_ROWS,
    timezone,
  };
}

const withValues = <T extends { values?: QuestionInput['filters'][number]['values'] }>({
  values = [],
  ...filter
}: T) => ({
  ...filter,
  values,
});

/**
 * What is wrong with a question, as what is wrong with the chart or with a filter of its reader. The place of an issue
 * is that in the chart.
 */
export function chartError(error: unknown, query: ChartQuery): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return error;
  const own = query.filters?.length ?? 0;
  const errors = error.errors.map((issue): Issue => {
    const [, list, index = '', ...rest] = issue.pointer.split('/');
    if (list === 'timezone') return issue;
    if (list === 'filters' && Number(index) >= own)
      return { ...issue, pointer: ['/filters', Number(index) - own, ...rest].join('/') };
    const path = query.source.kind === 'dataset' ? issue.pointer.replace(/\/fieldId$/, '/column') : issue.pointer;
    return { ...issue, pointer: `${QUERY}${path}` };
  });
  const isChart = errors.some(({ pointer }) => pointer.startsWith(QUERY));
  return new AppError(isChart ? 'CHART_SPEC_INVALID' : 'VALIDATION_FAILED', { errors, cause: error });
}
