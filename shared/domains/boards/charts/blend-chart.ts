import { AppError } from '../../../platform/errors/app-error.ts';
import {
  answerBlendQuestion,
  type BlendQuestion,
  type BlendRecord,
  compileBlendQuestion,
} from '../../semantics/blends/index.ts';
import { chartError, DEFAULT_ROWS, QUERY, withValues } from './chart-question.ts';
import {
  type ChartCheckDeps,
  type ChartDataColumn,
  type ChartDeps,
  type ChartRows,
  type ReadChart,
  shownColumns,
  timezoneOf,
  withBins,
} from './chart-reading.ts';

/** The columns of a chart of a blend, without reading rows. Throws as reading it does. */
export async function blendColumns(deps: ChartCheckDeps, chart: ReadChart): Promise<ChartDataColumn[]> {
  const question = blendQuestionOf(chart, await findBlend(deps, chart));
  const { columns } = await compileBlendQuestion(deps, question).catch((error: unknown) => {
    throw chartError(error, chart.query);
  });
  return withBins(shownColumns(columns), chart.query);
}

export async function readBlend(deps: ChartDeps, chart: ReadChart): Promise<ChartRows> {
  const { query, timeoutMs, maxAgeSeconds } = chart;
  const question = blendQuestionOf(chart, await findBlend(deps, chart));
  const { totals, ...answer } = await answerBlendQuestion(deps, question, { timeoutMs, maxAgeSeconds }).catch(
    (error: unknown) => {
      throw chartError(error, query);
    },
  );
  return {
    ...answer,
    ...(question.totals !== 'none' && { totals }),
    columns: withBins(answer.columns, query),
    warnings: [...answer.warnings],
  };
}

/** Throws `BLEND_NOT_FOUND`. */
async function findBlend({ blends }: Pick<ChartCheckDeps, 'blends'>, { principal, query }: ReadChart) {
  const blend = await blends.get(principal.workspaceId, query.source.id);
  if (!blend) throw new AppError('BLEND_NOT_FOUND');
  return blend;
}

function blendQuestionOf(chart: ReadChart, blend: BlendRecord): BlendQuestion {
  const { principal, query, filters } = chart;
  return {
    blend,
    principal,
    dimensions: query.dimensions ?? [],
    measures: query.measures ?? [],
    filters: (query.filters ?? []).map(({ anyOf, ...filter }, index) => ({
      ...withValues(filter),
      ...(anyOf && { anyOf: anyOf.map((each) => withValues(each)) }),
      pointer: `${QUERY}/filters/${index}`,
    })),
    readerFilters: filters,
    resultFilters: (query.resultFilters ?? []).map(withValues),
    sort: (query.sort ?? []).map(({ column, direction = 'asc' }) => ({ column, direction })),
    isFromEnd: query.isFromEnd === true,
    totals: query.totals ?? 'none',
    joinType: query.joinType ?? 'left',
    limit: query.limit ?? DEFAULT_ROWS,
    timezone: timezoneOf(chart),
  };
}
