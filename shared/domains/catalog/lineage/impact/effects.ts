import type { Column } from '../../../../data/duckdb/column-types.ts';
import { inlineValuesOf, liveBlocksOf } from '../../../../data/rich-text/index.ts';
import { AppError } from '../../../../platform/errors/app-error.ts';
import { alertRepository } from '../../../alerts/rules/index.ts';
import { queryOfField } from '../../../alerts/sources/index.ts';
import { hasRows, queryOf } from '../../../boards/cards/index.ts';
import { type ChartCheckDeps, type ChartSpec, chartColumns } from '../../../boards/charts/index.ts';
import { seenCards } from '../../../boards/dashboards/index.ts';
import { isDataBlock, reportRepository } from '../../../boards/reports/index.ts';
import type { DefinitionEngine } from '../../../pipelines/checks/index.ts';
import type { Dag, ExtractColumns } from '../../../pipelines/definition/index.ts';
import { blendRepository, comparedKeys } from '../../../semantics/blends/index.ts';
import { digestRepository } from '../../../semantics/metric-reports/index.ts';
import { failedTransform, type ModelDefinition } from '../../../semantics/models/index.ts';
import { sampleValues, savedQueryRepository } from '../../../semantics/saved-queries/index.ts';
import { shareRepository } from '../../../sharing/shares/index.ts';
import { columnsOfExtract, loadsInto, placeOfExtract } from '../columns/pipeline-parts.ts';
import { partsOfQuery } from '../columns/query-parts.ts';
import { sourceColumn } from '../columns/types.ts';
import type { Explorer } from '../explorer.ts';
import type { Sight } from '../kinds.ts';
import { contentsOfStory } from '../story-contents.ts';
import type { LineageRef, LineageType } from '../types.ts';
import { brokenParts } from './broken-parts.ts';
import type { ChangedWorld } from './changed-world.ts';
import { breaks, isBroken, loses, OUTDATED, type Outcome, UNKNOWN } from './types.ts';

/** What checking charts needs, apart from what a removal changes. */
export type ImpactChecks = Omit<ChartCheckDeps, 'datasets' | 'definitions'> & {
  datasets: ChartCheckDeps['datasets'];
  definitions: ChartCheckDeps['definitions'];
  columnIssues: DefinitionEngine['columnIssues'];
};

export interface Effects {
  sight: Sight;
  explorer: Explorer;
  world: ChangedWorld;
  checks: ImpactChecks;
}

/**
 * What becomes of an object, by the checks that its own operations make. Undefined if nothing does. Called again when
 * more is known of what it is made of.
 */
export const EFFECTS_BY_KIND: Record<LineageType, (effects: Effects, id: string) => Promise<Outcome | undefined>> = {
  source: async () => undefined,
  'cdc-stream': async ({ sight, world }, id) => {
    const stream = (await sight.parts.streams()).find((each) => each.id === id);
    const outcome = stream && world.outcomeOf({ type: 'source', id: stream.sourceId });
    return outcome && (outcome.broken === 'all' ? breaks() : UNKNOWN);
  },
  pipeline: pipelineOutcome,
  dataset: datasetOutcome,

  async 'saved-query'(effects, id) {
    const { sight, world } = effects;
    const query = await savedQueryRepository(sight.table).queries.get(sight.reader.workspaceId, id);
    if (!query) return undefined;
    if (query.sourceId !== null) {
      const outcome = world.outcomeOf({ type: 'source', id: query.sourceId });
      return outcome && (outcome.broken === 'all' ? breaks() : UNKNOWN);
    }
    const read = query.reads.map((datasetId) => ({ type: 'dataset', id: datasetId }) as const);
    const statement = { sql: query.sql, params: sampleValues(query.params) };
    return (await statementOutcome(effects, statement, read)) ?? (isOutdated(world, read) ? OUTDATED : undefined);
  },

  async model({ sight, world }, id) {
    const [before, after] = await Promise.all([sight.parts.model(id), world.model(id)]);
    if (!before) return undefined;
    if (!after) return breaks();
    const known = brokenParts(before);
    const broken = [...brokenParts(after)].filter((part) => !known.has(part));
    if (broken.length > 0) return breaks(new Set(broken));
    const datasets = await Promise.all(
      [...after.tables.values()].map((table) => sight.parts.datasetNamed(table.sourceTable)),
    );
    const refs = datasets.flatMap((each): LineageRef[] => (each ? [{ type: 'dataset', id: each.id }] : []));
    return isOutdated(world, refs) ? OUTDATED : undefined;
  },

  async metric(effects, id) {
    const source = { kind: 'metric', id } as const;
    if (await failsNewly(effects, { source })) return breaks();
    return inherited(effects, { type: 'metric', id });
  },

  async blend({ sight, world, explorer }, id) {
    const blend = await blendRepository(sight.table).get(sight.reader.workspaceId, id);
    if (!blend) return undefined;
    const ids = { left: blend.leftModelId, right: blend.rightModelId };
    const isFailing = async (read: (modelId: string) => Promise<ModelDefinition | undefined>): Promise<boolean> => {
      const [left, right] = await Promise.all([read(ids.left), read(ids.right)]);
      const fits = (definition: ModelDefinition | undefined, tableId: string) =>
        definition?.tables.has(tableId) === true && failedTransform(definition, tableId) === undefined;
      if (!fits(left, blend.leftTableId) || !fits(right, blend.rightTableId)) return true;
      return 'issues' in comparedKeys(blend, { left, right });
    };
    const isFailingNow = await isFailing(sight.parts.model);
    if (!isFailingNow && (await isFailing((modelId) => world.model(modelId)))) return breaks();
    return inherited({ explorer, world }, { type: 'blend', id });
  },

  async dashboard(effects, id) {
    const { sight } = effects;
    const cards = (await seenCards(sight.table, sight.reader, id)).filter(hasRows);
    return partsOutcome(effects, { type: 'dashboard', id }, cards, async (card) =>
      chartFails(effects, queryOf(card), card.chartSpec),
    );
  },

  async report(effects, id) {
    const { sight } = effects;
    const report = await reportRepository(sight.table).read(sight.reader.workspaceId, id);
    const blocks = report?.layout.blocks.filter(isDataBlock) ?? [];
    return partsOutcome(effects, { type: 'report', id }, blocks, ({ chartSpec }) =>
      chartFails(effects, chartSpec.query, chartSpec),
    );
  },

  async story(effects, id) {
    const { sight, world } = effects;
    const { contents } = await contentsOfStory(sight, id);
    const blocks = [...contents.flatMap(liveBlocksOf), ...contents.flatMap(inlineValuesOf)];
    const named = blocks.map(({ part, blockId }) => ({ id: blockId, source: part.source }));
    return partsOutcome(effects, { type: 'story', id }, named, async ({ source }) => {
      if ('metricId' in source) return world.isGone({ type: 'metric', id: source.metricId });
      if (!('kind' in source)) return false;
      if (source.kind === 'card')
        return isBroken(world.outcomeOf({ type: 'dashboard', id: source.dashboardId }), source.cardId);
      if (source.kind !== 'chart') return false;
      const chart = source.chartSpec as ChartSpec;
      return chartFails(effects, chart.query, chart);
    });
  },

  async alert(effects, id) {
    const { sight, world } = effects;
    const alert = await alertRepository(sight.table).get(sight.reader.workspaceId, id);
    if (!alert) return undefined;
    const { condition } = alert;
    const fails = async (): Promise<boolean> => {
      if (condition.kind === 'metric') return world.isGone({ type: 'metric', id: condition.metricId });
      const { source, column, by } = condition;
      if (source.kind === 'card')
        return isBroken(world.outcomeOf({ type: 'dashboard', id: source.dashboardId! }), source.id);
      if (source.kind === 'savedQuery') {
        const outcome = world.outcomeOf({ type: 'saved-query', id: source.id });
        return isBroken(outcome, column) || (by !== undefined && isBroken(outcome, by.column));
      }
      return failsNewly(effects, queryOfField(condition));
    };
    return (await fails()) ? breaks() : inherited(effects, { type: 'alert', id });
  },

  async 'metric-digest'(effects, id) {
    const { sight, world } = effects;
    const digest = await digestRepository(sight.table).get(sight.reader.workspaceId, id);
    const isAny = digest?.metricIds.some((metricId) => world.isGone({ type: 'metric', id: metricId }));
    return isAny ? breaks() : inherited(effects, { type: 'metric-digest', id });
  },

  async share(effects, id) {
    const { sight, world } = effects;
    const share = await shareRepository(sight.table).get(sight.reader.workspaceId, id);
    const outcome = share && world.outcomeOf({ type: share.contentType, id: share.contentId });
    return outcome?.effect === 'breaks' ? breaks() : outcome && { ...outcome, lost: new Set(), broken: new Set() };
  },
};

type Query = ChartSpec['query'];

/** Whether a chart works now, and would not then. Charts of saved queries show the columns that their channels name. */
async function chartFails(effects: Effects, query: Query, look: unknown): Promise<boolean> {
  const { kind, id } = query.source;
  if (kind !== 'savedQuery') return failsNewly(effects, query);
  const outcome = effects.world.outcomeOf({ type: 'saved-query', id });
  if (!outcome) return false;
  const shown = await partsOfQuery(effects.sight, query, look);
  return shown.some(({ part }) => isBroken(outcome, part));
}

async function failsNewly({ checks, sight, world }: Effects, query: Query): Promise<boolean> {
  const { reader } = sight;
  const chart = { principal: reader, query, filters: [], timeoutMs: TIMEOUT_MS };
  const after: ChartCheckDeps = {
    ...checks,
    datasets: { ...checks.datasets, get: (_workspaceId, id) => world.dataset(id) },
    definitions: {
      ...checks.definitions,
      async read({ modelId }) {
        const definition = await world.model(modelId);
        if (!definition) throw new AppError('MODEL_NOT_FOUND');
        return definition;
      },
    },
  };
  if (query.source.kind === 'metric' && world.isGone({ type: 'metric', id: query.source.id })) return true;
  return !(await fails(checks, chart)) && (await fails(after, chart));
}

const TIMEOUT_MS = 10_000;

async function fails(deps: ChartCheckDeps, chart: Parameters<typeof chartColumns>[1]): Promise<boolean> {
  try {
    await chartColumns(deps, chart);
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

async function partsOutcome<T extends { id: string }>(
  { explorer, world }: Effects,
  ref: LineageRef,
  parts: readonly T[],
  isFailing: (part: T) => Promise<boolean>,
): Promise<Outcome | undefined> {
  const failing = await Promise.all(parts.map(isFailing));
  const broken = parts.flatMap(({ id }, index) => (failing[index] ? [id] : []));
  return broken.length > 0 ? breaks(new Set(broken)) : inherited({ explorer, world }, ref);
}

/** Of an object that does not break: rows that are not updated reach it, or something unknown does. */
async function inherited({ explorer, world }: Pick<Effects, 'explorer' | 'world'>, ref: LineageRef) {
  const { refs } = await explorer.originsOf(ref);
  const { parts, unknown } = await explorer.partsOf(ref);
  if (isOutdated(world, refs)) return OUTDATED;
  const isMaybe = [...unknown, ...parts.flatMap(({ inputs }) => inputs)].some(
    (each) => world.outcomeOf(each)?.effect === 'unknown',
  );
  return isMaybe ? UNKNOWN : undefined;
}

const isOutdated = (world: ChangedWorld, refs: readonly LineageRef[]): boolean =>
  refs.some((ref) => world.outcomeOf(ref)?.effect === 'outdated');

async function statementOutcome(
  { sight, world }: Pick<Effects, 'sight' | 'world'>,
  statement: Pick<Parameters<Sight['parts']['analyse']>[0], 'sql' | 'params'>,
  read: readonly LineageRef[],
): Promise<Outcome | undefined> {
  if (read.some((ref) => world.isGone(ref))) return breaks();
  if (read.every((ref) => world.lostOf(ref).size === 0)) return undefined;
  const all = await sight.parts.datasets();
  const [before, after] = await Promise.all([
    sight.parts.analyse({ ...statement, tables: read.flatMap(({ id }) => tableOf(all.get(id))) }),
    Promise.all(read.map(({ id }) => world.dataset(id))).then((tables) =>
      sight.parts.analyse({ ...statement, tables: tables.flatMap(tableOf) }),
    ),
  ]);
  if (!before) return undefined;
  if (!after) return breaks();
  return losesOf(before.columns, after.columns);
}

const tableOf = (dataset: { name: string; columns: readonly Column[] } | undefined) =>
  dataset ? [{ name: dataset.name, columns: dataset.columns }] : [];

function losesOf(before: readonly { name: string }[], after: readonly { name: string }[]): Outcome | undefined {
  const left = new Set(after.map(({ name }) => name.toLowerCase()));
  const lost = before.map(({ name }) => name.toLowerCase()).filter((name) => !left.has(name));
  return lost.length > 0 ? loses(new Set(lost)) : undefined;
}

/** A derived dataset whose statement fails keeps its rows, and what is made of them is outdated. */
async function datasetOutcome(effects: Effects, id: string): Promise<Outcome | undefined> {
  const { sight, world } = effects;
  const dataset = (await sight.parts.datasets()).get(id);
  if (!dataset) return undefined;
  const outcomes = [await ofSource(effects, id), await ofLoads(effects, id, dataset.name)];
  const found = outcomes.find((each) => each?.effect === 'loses_columns') ?? outcomes.find(Boolean);
  const needed = [dataset.incremental?.cursorColumn, ...(dataset.incremental?.mergeKey ?? [])];
  // Such a refresh fails, so the column stays.
  if (needed.some((column) => column !== undefined && found?.lost.has(column.toLowerCase()))) return OUTDATED;
  if (found) return found;
  const origins = await effects.explorer.originsOf({ type: 'dataset', id });
  return isOutdated(world, origins.refs) ? OUTDATED : undefined;
}

async function ofSource(effects: Effects, id: string): Promise<Outcome | undefined> {
  const { sight, world } = effects;
  const { source, columns } = (await sight.parts.datasets()).get(id)!;
  if (!source) return undefined;
  if (source.kind === 'datasets') {
    const names = (await sight.parts.derived()).get(id) ?? [];
    const read = await Promise.all(names.map((name) => sight.parts.datasetNamed(name)));
    const refs = read.flatMap((each): LineageRef[] => (each ? [{ type: 'dataset', id: each.id }] : []));
    const outcome = await statementOutcome(effects, { sql: source.sql }, refs);
    return outcome?.effect === 'breaks' ? OUTDATED : outcome;
  }
  const ref = { type: 'source', id: source.sourceId } as const;
  const outcome = world.outcomeOf(ref);
  if (!outcome) return undefined;
  if (outcome.broken === 'all') return OUTDATED;
  if (source.kind === 'query') return UNKNOWN;
  const place = source.kind === 'file' ? [source.path] : [source.schema, source.table];
  const lost = columns.filter(({ name }) => outcome.lost.has(sourceColumn(place, name).toLowerCase()));
  return lost.length > 0 ? loses(new Set(lost.map(({ name }) => name.toLowerCase()))) : undefined;
}

/** A pipeline that breaks leaves its datasets as they are; loads that replace all rows also replace the columns. */
async function ofLoads({ sight, world }: Effects, id: string, name: string): Promise<Outcome | undefined> {
  const found: Outcome[] = [];
  for (const [pipelineId, dag] of await sight.parts.dags()) {
    const outcome = world.outcomeOf({ type: 'pipeline', id: pipelineId });
    if (!outcome) continue;
    for (const { stepId, isReplacing } of loadsInto(dag, { id, name })) {
      if (isBroken(outcome, stepId) || outcome.effect === 'outdated') found.push(OUTDATED);
      else if (outcome.effect === 'unknown') found.push(UNKNOWN);
      else if (isReplacing) {
        const prefix = `${stepId.toLowerCase()}.`;
        const lost = [...outcome.lost]
          .filter((part) => part.startsWith(prefix))
          .map((part) => part.slice(prefix.length));
        if (lost.length > 0) found.push(loses(new Set(lost)));
      }
    }
  }
  return found.find(({ effect }) => effect === 'loses_columns') ?? found[0];
}

async function pipelineOutcome(effects: Effects, id: string): Promise<Outcome | undefined> {
  const { sight, world, checks } = effects;
  const dag = (await sight.parts.dags()).get(id);
  if (!dag) return undefined;
  const refs = (await effects.explorer.originsOf({ type: 'pipeline', id })).refs;
  if (refs.some((ref) => world.isGone(ref))) return breaks();
  const [before, after] = await extractedColumns(effects, id, dag);
  if ([...before].some(([step, columns]) => columns.length !== after.get(step)!.length)) {
    const issues = (known: ReadonlyMap<string, readonly Column[]>) =>
      checks.columnIssues({ dag, broken: [], extracts: extractsOf(known) });
    const [known, found] = await Promise.all([issues(before), issues(after)]);
    const places = new Set(known.map(({ pointer, message }) => `${pointer} ${message}`));
    if (found.some(({ pointer, message }) => !places.has(`${pointer} ${message}`))) return breaks();
    const [was, is] = await Promise.all([sight.parts.stepLineages(dag, before), sight.parts.stepLineages(dag, after)]);
    const loaded = (lineages: typeof was) =>
      lineages
        .filter(({ stepId }) => dag.steps.some((step) => step.id === stepId && step.type === 'load'))
        .flatMap(({ stepId, columns }) => (columns ?? []).map(({ name }) => ({ name: `${stepId}.${name}` })));
    return losesOf(loaded(was), loaded(is));
  }
  if (isOutdated(world, refs)) return OUTDATED;
  return refs.some((ref) => world.outcomeOf(ref)?.effect === 'unknown') ? UNKNOWN : undefined;
}

function extractsOf(known: ReadonlyMap<string, readonly Column[]>): ExtractColumns {
  return [...known].map(([stepId, columns]) => [stepId, { names: columns.map(({ name }) => name), dialect: 'duckdb' }]);
}

/** The columns of the extracts, as far as they are known: now, and then. */
async function extractedColumns({ sight, world }: Effects, pipelineId: string, dag: Dag) {
  const before = new Map<string, readonly Column[]>();
  const after = new Map<string, readonly Column[]>();
  for (const step of dag.steps.filter(({ type }) => type === 'extract')) {
    const columns = await columnsOfExtract(sight, pipelineId, step);
    if (!columns) continue;
    const placed = await placeOfExtract(sight, step);
    const isLost = ({ name }: Column) => {
      const ref = placed?.(name);
      return ref?.part !== undefined && ref.part !== null && world.lostOf(ref).has(ref.part.toLowerCase());
    };
    before.set(step.id, columns);
    after.set(
      step.id,
      columns.filter((column) => !isLost(column)),
    );
  }
  return [before, after] as const;
}
