import { windowsOf } from '../../../data/expressions/index.ts';
import { startOfUnit, type TimeGrain, timeUnit } from '../../../platform/schedule/fiscal-calendar.ts';
import { type Grain, localTimeOf, startOfPeriod } from '../../../platform/schedule/periods.ts';
import { type ModelDefinition, measureAnalysis } from '../models/index.ts';
import type { QuestionInput } from '../questions/index.ts';
import { dateOf, midnightOf } from './calendar.ts';
import type { MetricDefinition } from './records.ts';

/** How an answer is divided: by the values of a field, with the value over everything, or by periods. */
export interface Division {
  by?: string;
  grain?: Grain;
  limit?: number;
}

export interface Bounds {
  from: string;
  to: string;
}

export interface AskedQuestion {
  definition: ModelDefinition;
  metric: MetricDefinition;
  timezone: string;
}

/** The question to the model, and where its answer has the values. */
export interface MetricQuestion {
  question: QuestionInput;
  /** Whether the first column is the period, although the value of one period is wanted. */
  period?: string;
}

/** Where the filters of a metric are in its definition. */
export const METRIC_FILTERS = '/filters';
const VALUE = 'value';
const PERIOD = 'period';

/** The value over the rows between the bounds. */
export function metricQuestion(asked: AskedQuestion, bounds: Bounds, division: Division): MetricQuestion {
  const { measureId, fieldId, aggregation, timeFieldId } = asked.metric;
  const measure = measureId === null ? { fieldId: fieldId!, aggregation: aggregation! } : { measureId };
  const common = { measures: [{ ...measure, label: VALUE }], sort: [], timezone: asked.timezone };
  const windows = windowsIn(asked);
  const filters = asked.metric.filters.map((filter, index) => ({ ...filter, pointer: `${METRIC_FILTERS}/${index}` }));
  const bound = (op: 'gte' | 'lt', value: string) => ({
    fieldId: timeFieldId,
    op,
    values: [value],
    pointer: '/period',
  });
  const before = bound('lt', bounds.to);
  const { by, grain, limit = 1 } = division;
  const byField = by === undefined ? [] : [{ fieldId: by, label: 'by' }];
  if (!windows) {
    const from = bound('gte', bounds.from);
    const byPeriod = grain === undefined ? [] : [{ fieldId: timeFieldId, grain, label: PERIOD }];
    const totals = by === undefined ? ('none' as const) : ('grand' as const);
    const dimensions = [...byField, ...byPeriod];
    return {
      question: { ...common, dimensions, filters: [...filters, from, before], resultFilters: [], totals, limit },
    };
  }
  // Such a measure has a value for each period, which is computed from those before it too.
  const wanted = periodsBetween(asked, bounds, grain);
  const since = startOf(asked, bounds, windows);
  const from = since === undefined ? [] : [bound('gte', since)];
  const byPeriod = { fieldId: timeFieldId, grain: grain ?? asked.metric.grain, label: PERIOD, fill: 'null' as const };
  const period = dateOf(wanted.last);
  return {
    question: {
      ...common,
      dimensions: [byPeriod, ...byField],
      filters: [...filters, ...from, before],
      resultFilters: [
        grain === undefined
          ? { column: PERIOD, op: 'eq', values: [period] }
          : { column: PERIOD, op: 'between', values: [dateOf(wanted.first), period] },
      ],
      totals: by === undefined ? 'none' : 'all',
      limit,
    },
    ...(grain === undefined ? { period } : {}),
  };
}

type Window = TimeGrain | 'bounds' | 'ever';

/**
 * What PRIOR, TRAILING and CUMULATIVE of the measure need: where running totals begin. Undefined for measures without
 * them.
 */
function windowsIn({
  definition,
  metric,
}: Pick<AskedQuestion, 'definition' | 'metric'>): readonly Window[] | undefined {
  const measure = metric.measureId === null ? undefined : definition.measures.get(metric.measureId);
  const tree = measure && measureAnalysis(definition, measure).valid?.tree;
  const found = (tree ? windowsOf(tree) : []).flatMap(({ name, args: [, grain] }) => {
    if (name === 'PRIOR' || name === 'TRAILING') return ['bounds' as const];
    if (name !== 'CUMULATIVE') return [];
    return grain?.kind === 'literal' && grain.literal.type === 'string'
      ? [grain.literal.text.toLowerCase() as TimeGrain]
      : ['ever' as const];
  });
  return found.length > 0 ? found : undefined;
}

/** Whether the measure has a value only for each period, which earlier ones are part of. */
export const isOfPeriods = (asked: Pick<AskedQuestion, 'definition' | 'metric'>): boolean =>
  windowsIn(asked) !== undefined;

/** The first value of the time field that counts; undefined if all earlier ones do. */
function startOf({ definition, timezone }: AskedQuestion, { from }: Bounds, windows: readonly Window[]) {
  if (windows.includes('ever')) return undefined;
  const grains = windows.filter((each) => each !== 'bounds' && each !== 'ever');
  if (grains.length === 0) return from;
  const units = grains.map((grain) => timeUnit(grain, definition.model.calendar));
  return dateOf(Math.min(...units.map((unit) => startOfUnit(unit, localTime(timezone, from)))));
}

/** The periods, of the grain or of the metric, in which the first and the last moment between the bounds are. */
function periodsBetween({ metric, timezone }: AskedQuestion, { from, to }: Bounds, grain = metric.grain) {
  const [begin, end] = [from, to].map((each) => localTime(timezone, each)) as [number, number];
  return { first: startOfPeriod(grain, begin), last: startOfPeriod(grain, Math.max(begin, end - 1)) };
}

const localTime = (timezone: string, bound: string): number =>
  bound.length === 10 ? midnightOf(bound) : localTimeOf(timezone, new Date(bound));
