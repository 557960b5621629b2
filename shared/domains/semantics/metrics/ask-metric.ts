import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { type ModelDefinition, measureAnalysis } from '../models/index.ts';
import type { CacheOutcome } from '../queries/index.ts';
import { answerQuestion, compileFor, type QuestionDeps } from '../questions/index.ts';
import type { Amount } from './amounts.ts';
import { metricIssues } from './metric-issues.ts';
import { type Division, METRIC_FILTERS, metricQuestion } from './metric-question.ts';
import type { MetricDefinition } from './records.ts';

/** A metric with the model that it asks, and who asks: answers have only the rows that the caller may see. */
export interface AskedMetric {
  definition: ModelDefinition;
  metric: MetricDefinition;
  principal: Principal;
  timezone: string;
  /** How long the model may take for each of the questions. */
  timeoutMs: number;
}

export type DimensionValue = string | number | boolean | null;

export interface MetricAnswer {
  /** One for each value of the dimension; one altogether without a dimension. */
  rows: readonly { dimension: DimensionValue; value: Amount }[];
  /** The value over everything; null unless it was asked for. */
  total: Amount;
  truncated: boolean;
  type: string;
  asOf: string;
  cache: CacheOutcome;
}

const FASTEST_FIRST = ['hit', 'shared', 'miss'] as const satisfies readonly CacheOutcome[];

/** The outcome of several answers is that of the slowest way. */
export const slowestOf = (outcomes: readonly CacheOutcome[]): CacheOutcome =>
  FASTEST_FIRST[Math.max(...outcomes.map((each) => FASTEST_FIRST.indexOf(each)))]!;

/** Asks the model for the metric over the rows between the bounds. Throws `METRIC_STALE`, and what questions throw. */
export async function askMetric(
  deps: QuestionDeps,
  asked: AskedMetric,
  bounds: { from: string; to: string },
  division: Division = {},
): Promise<MetricAnswer> {
  assertAnswerable(asked);
  const { question, period } = metricQuestion(asked, bounds, division);
  const answer = await answerQuestion(deps, {
    ...question,
    modelId: asked.metric.modelId,
    principal: asked.principal,
    timeoutMs: asked.timeoutMs,
  }).catch((error: unknown) => {
    throw errorOf(error, division, asked.metric);
  });
  const rows = JSON.parse(answer.rowsJson) as unknown[][];
  const isTotal = ({ level, row }: (typeof answer.totals)[number]) =>
    period === undefined ? level === 0 : level === 1 && row[0] === period;
  return {
    rows: rows.map((row) => {
      const dimensions = row.slice(period === undefined ? 0 : 1, -1);
      return { dimension: (dimensions[0] ?? null) as DimensionValue, value: row.at(-1) as Amount };
    }),
    total: (answer.totals.find(isTotal)?.row.at(-1) ?? null) as Amount,
    truncated: answer.truncated,
    type: answer.columns.at(-1)!.type,
    asOf: answer.asOf,
    cache: answer.stats.cache,
  };
}

function assertAnswerable({ definition, metric }: AskedMetric): void {
  const errors = metricIssues(definition, metric);
  if (errors.length > 0) throw new AppError('METRIC_STALE', { errors });
}

/** The code of a field that is hidden from the caller by its sensitivity label. */
export const DENIED_FIELD = '2004';

/** The code of a comparison with earlier periods that the grain does not divide. */
const UNFIT_GRAIN = '5005';

/** What is wrong with the field or the grain to divide by belongs to the request, everything else to the metric. */
function errorOf(error: unknown, { by, grain }: Division, metric: MetricDefinition): unknown {
  const problems = problemsOf(error);
  if (!problems) return error;
  if (grain !== undefined && grain !== metric.grain && problems.every(({ code }) => code === UNFIT_GRAIN)) {
    const errors = problems.map((issue) => ({ ...issue, pointer: '/query/grain' }));
    return new AppError('VALIDATION_FAILED', { errors, cause: error });
  }
  if (by !== undefined && problems.some(({ pointer }) => pointer === '')) return error;
  const ofRequest = problems.filter(({ pointer }) => by !== undefined && pointer.startsWith('/dimensions'));
  if (ofRequest.length > 0) {
    const errors = ofRequest.map((issue) => ({ ...issue, pointer: '/query/by' }));
    return new AppError('VALIDATION_FAILED', { errors, cause: error });
  }
  const errors = problems.map(inMetric);
  const isDenied = errors.length > 0 && errors.every(({ code }) => code === DENIED_FIELD);
  return new AppError(isDenied ? 'FORBIDDEN' : 'METRIC_STALE', { errors, cause: error });
}

/** Everything that keeps the model from answering for the metric, with places in the metric. */
export async function metricProblems(
  deps: Parameters<typeof compileFor>[0],
  asked: Omit<AskedMetric, 'timeoutMs'>,
): Promise<readonly Issue[]> {
  const issues = metricIssues(asked.definition, asked.metric);
  if (issues.length > 0) return issues;
  const bounds = { from: '2000-01-01', to: '2000-01-02' };
  try {
    const { modelId } = asked.metric;
    await compileFor(deps, { ...metricQuestion(asked, bounds, {}).question, modelId, principal: asked.principal });
    return [];
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    return problems.map(inMetric);
  }
}

const inMetric = (issue: Issue): Issue => ({
  ...issue,
  pointer: issue.pointer.startsWith(`${METRIC_FILTERS}/`) ? issue.pointer : '',
});

const UNANSWERABLE: readonly string[] = ['VALIDATION_FAILED', 'QUESTION_UNANSWERABLE'];

const problemsOf = (error: unknown): readonly Issue[] | undefined =>
  error instanceof AppError && UNANSWERABLE.includes(error.code) ? error.errors : undefined;

/** Whether the values of parts add up to the value of the whole. */
export function isAdditive(definition: ModelDefinition, { measureId, aggregation }: MetricDefinition): boolean {
  if (measureId === null) return aggregation === 'sum' || aggregation === 'count';
  const measure = definition.measures.get(measureId);
  return measure !== undefined && measureAnalysis(definition, measure).valid?.additive === 'full';
}
