import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { TimeGrain } from '../../../platform/schedule/fiscal-calendar.ts';
import type { ModelDefinition } from '../../semantics/models/index.ts';
import {
  type ChartDeps,
  type ChartRows,
  type ChartSpec,
  definitionsOf,
  type ReadChart,
  readChart,
  rowsBehindChart,
} from '../charts/index.ts';
import type { DrillStep } from './schemas.ts';
import { conditionsOnRow, type Dimension, findDimension, unknownDimension } from './selection.ts';

type Query = ChartSpec['query'];

/** The level below a dimension, and the columns of both. */
interface Level {
  from: string;
  to: string;
  dimension: Dimension;
}

/**
 * The rows that the steps lead to, of those that the caller may see. Throws `VALIDATION_FAILED` and what `readChart`
 * throws.
 */
export async function readDrilled(deps: ChartDeps, chart: ReadChart, steps: readonly DrillStep[]): Promise<ChartRows> {
  const definition = await definitionOf(deps, chart);
  if (!definition) return readChart(deps, withGrains(chart, steps));
  let drilled = chart;
  for (const [index, step] of steps.entries()) {
    const pointer = `/drill/${index}`;
    if (step.to === 'nextLevel') drilled = oneLevelDown(definition, drilled, step, pointer);
    else if (step.to === 'grain') drilled = otherGrain(definition, drilled, step, pointer);
    else if (index < steps.length - 1) throw rejected(`${pointer}/to`, 'CONFLICT', 'must be the last step');
    else return rowsBehindChart(deps, drilled, pointOf(drilled.query, step, pointer));
  }
  return readChart(deps, drilled);
}

/** For each dimension with a level below it, the names of both columns; after steps, of the rows that they lead to. */
export async function nextLevels(
  deps: ChartDeps,
  chart: Pick<ReadChart, 'principal' | 'query'>,
  steps: readonly DrillStep[] = [],
) {
  const definition = await definitionOf(deps, chart);
  if (!definition || steps.some(({ to }) => to === 'rows')) return [];
  const whole: ReadChart = { ...chart, filters: [], timeoutMs: 0 };
  const { query } = steps.reduce(
    (at, step, index) => (step.to === 'grain' ? otherGrain : oneLevelDown)(definition, at, step, `/drill/${index}`),
    whole,
  );
  const levels = (query.dimensions ?? []).flatMap((each) => levelBelow(definition, each) ?? []);
  return levels.map(({ from, to }) => ({ column: from, to }));
}

/** Undefined for sources without a model. */
async function definitionOf(
  deps: ChartDeps,
  chart: Pick<ReadChart, 'principal' | 'query'>,
): Promise<ModelDefinition | undefined> {
  const { kind, id } = chart.query.source;
  if (kind !== 'model' && kind !== 'dataset') return undefined;
  const definitions = await definitionsOf(deps, chart);
  return definitions.read({ workspaceId: chart.principal.workspaceId, modelId: id });
}

/** The periods of a metric; its rows cannot be drilled into. Throws `VALIDATION_FAILED`. */
function withGrains(chart: ReadChart, steps: readonly DrillStep[]): ReadChart {
  if (chart.query.source.kind !== 'metric' || steps.some(({ to }) => to !== 'grain'))
    throw rejected('/drill', 'CONFLICT', 'is supported only for cards of models and datasets; metrics take `grain`');
  const errors = steps.flatMap(({ grain }, index) => (grain ? [] : [noGrain(`/drill/${index}`)]));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return { ...chart, query: { ...chart.query, grain: steps.at(-1)!.grain! } };
}

const noGrain = (pointer: string): Issue => ({
  pointer: `${pointer}/grain`,
  code: 'REQUIRED',
  message: 'is required with `"to": "grain"`',
});

function oneLevelDown(definition: ModelDefinition, chart: ReadChart, step: DrillStep, pointer: string): ReadChart {
  const { dimensions = [] } = chart.query;
  const at = indexOfDimension(definition, dimensions, step, pointer);
  return withLevel(chart, at, levelBelow(definition, dimensions[at]!)!, step, pointer);
}

/** The same groups by periods of another length. */
function otherGrain(definition: ModelDefinition, chart: ReadChart, step: DrillStep, pointer: string): ReadChart {
  const { dimensions = [] } = chart.query;
  const { grain, dimension: wanted } = step;
  if (!grain) throw new AppError('VALIDATION_FAILED', { errors: [noGrain(pointer)] });
  const at = dimensions.findIndex((each) => each.grain && (wanted === undefined || findDimension([each], wanted)));
  const { fieldId, column, label, grain: before, ...named } = dimensions[at] ?? {};
  const field = definition.fields.get(fieldId ?? column ?? '');
  if (!field || !before) throw rejected(`${pointer}/dimension`, 'CONFLICT', 'is not a field with periods');
  const from = label ?? `${field.name} (${before})`;
  // A label may name the periods that are no more.
  const to = grain === before ? from : `${field.name} (${grain})`;
  const dimension = { ...named, ...(fieldId === undefined ? { column } : { fieldId }), grain, label: to };
  return withLevel(chart, at, { from, to, dimension } as Level, step, pointer);
}

function withLevel(
  chart: ReadChart,
  at: number,
  { from, to, dimension }: Level,
  step: DrillStep,
  pointer: string,
): ReadChart {
  const { dimensions = [], sort = [], resultFilters = [], pivot, limit, ...query } = chart.query;
  return {
    ...chart,
    filters: [...chart.filters, ...conditionsOnRow(dimensions, step.values, `${pointer}/values`)],
    // The author has chosen the number of the rows above, not of these.
    rowLimit: limit ?? chart.rowLimit,
    query: {
      ...query,
      dimensions: dimensions.with(at, dimension),
      sort: sort.map((each) => (each.column === from ? { ...each, column: to } : each)),
      // A condition on the groups above says nothing about those below.
      resultFilters: resultFilters.filter(({ column }) => column !== from),
      ...(pivot && { pivot: { ...pivot, columns: pivot.columns.map((name) => (name === from ? to : name)) } }),
    },
  };
}

/** The place of the dimension to replace. Throws `VALIDATION_FAILED`. */
function indexOfDimension(
  definition: ModelDefinition,
  dimensions: readonly Dimension[],
  step: DrillStep,
  pointer: string,
): number {
  const wanted = step.dimension;
  const at =
    wanted === undefined
      ? dimensions.findLastIndex((each) => levelBelow(definition, each))
      : dimensions.findIndex((each) => findDimension([each], wanted));
  if (wanted !== undefined && at < 0) {
    const errors = [unknownDimension(dimensions, wanted, `${pointer}/dimension`)];
    throw new AppError('VALIDATION_FAILED', { errors });
  }
  if (at < 0 || !levelBelow(definition, dimensions[at]!))
    throw rejected(
      `${pointer}/dimension`,
      'NO_NEXT_LEVEL',
      'has no next level in a hierarchy of the model, and no shorter period',
    );
  return at;
}

const FINER: Partial<Record<TimeGrain, TimeGrain>> = {
  year: 'quarter',
  quarter: 'month',
  month: 'day',
  week: 'day',
  fiscal_year: 'fiscal_quarter',
  fiscal_quarter: 'fiscal_period',
  fiscal_period: 'day',
  fiscal_week: 'day',
};

/** A shorter period, or the next level of the first hierarchy by name that has one. */
function levelBelow({ fields, hierarchies }: ModelDefinition, dimension: Dimension): Level | undefined {
  const { fieldId, column, label, grain, bin, expression } = dimension;
  const id = fieldId ?? column;
  const field = id === undefined ? undefined : fields.get(id);
  if (!field || bin || expression !== undefined) return undefined;
  const from = label ?? (grain ? `${field.name} (${grain})` : field.name);
  const finer = grain && FINER[grain];
  const { fill: _fill, label: _label, grain: _grain, ...named } = dimension;
  if (finer) return { from, to: `${field.name} (${finer})`, dimension: { ...named, grain: finer } };
  if (grain) return undefined;
  const sorted = [...hierarchies.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const next = sorted
    .map(({ levels }) => levels[levels.findIndex((level) => level.fieldId === field.id) + 1])
    .find((level, index) => level && sorted[index]!.levels.some((each) => each.fieldId === field.id));
  return next && { from, to: next.label, dimension: { fieldId: next.fieldId, label: next.label } };
}

function pointOf({ dimensions = [] }: Query, { values, measure = 0 }: DrillStep, pointer: string) {
  const places = Object.entries(values).map(([name, value]) => {
    const at = dimensions.findIndex((each) => findDimension([each], name));
    if (at >= 0) return [at, value] as const;
    const errors = [unknownDimension(dimensions, name, `${pointer}/values/${name}`)];
    throw new AppError('VALIDATION_FAILED', { errors });
  });
  return { values: new Map(places), measure, pointer };
}

const rejected = (pointer: string, code: string, message: string) =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code, message }] });
