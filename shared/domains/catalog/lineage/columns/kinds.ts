import { inlineValuesOf, liveBlocksOf } from '../../../../data/rich-text/index.ts';
import { alertRepository } from '../../../alerts/rules/index.ts';
import { queryOfField } from '../../../alerts/sources/index.ts';
import { hasRows, queryOf } from '../../../boards/cards/index.ts';
import type { ChartSpec } from '../../../boards/charts/index.ts';
import { seenCards } from '../../../boards/dashboards/index.ts';
import { isDataBlock, reportRepository } from '../../../boards/reports/index.ts';
import { blendRepository, type SideTable, sideOf } from '../../../semantics/blends/index.ts';
import { digestRepository } from '../../../semantics/metric-reports/index.ts';
import { type MetricDefinition, metricRepository } from '../../../semantics/metrics/index.ts';
import { fieldsOf, type ModelDefinition } from '../../../semantics/models/index.ts';
import { conditionsIn } from '../../../semantics/questions/index.ts';
import { sampleValues, savedQueryRepository } from '../../../semantics/saved-queries/index.ts';
import { shareRepository } from '../../../sharing/shares/index.ts';
import type { Sight } from '../kinds.ts';
import { contentsOfStory } from '../story-contents.ts';
import type { LineageRef, LineageType } from '../types.ts';
import { modelParts } from './model-parts.ts';
import { loadsInto, pipelineParts } from './pipeline-parts.ts';
import { partsOfModel, partsOfQuery } from './query-parts.ts';
import { distinctParts, NO_PARTS, type ObjectPart, type ObjectParts, type PartRef, sourceColumn } from './types.ts';

type ReadParts = (sight: Sight, id: string) => Promise<ObjectParts>;

/** What objects consist of, and what each of it is made of. */
export const PART_KINDS: Record<LineageType, ReadParts> = {
  // Tables of a source are known by what reads and loads them.
  source: async ({ parts }, id) => ({
    ...NO_PARTS,
    unknown: [...(await parts.pipelines())].flatMap(([pipelineId, { loads }]) =>
      loads.sourceIds.has(id) ? [{ type: 'pipeline', id: pipelineId }] : [],
    ),
  }),

  'cdc-stream': async ({ parts }, id) => {
    const stream = (await parts.streams()).find((each) => each.id === id);
    return { ...NO_PARTS, unknown: stream ? [{ type: 'source', id: stream.sourceId }] : [] };
  },

  pipeline: pipelineParts,
  dataset: datasetParts,

  async 'saved-query'(sight, id) {
    const { table, reader } = sight;
    const query = await savedQueryRepository(table).queries.get(reader.workspaceId, id);
    if (!query) return NO_PARTS;
    if (query.sourceId !== null) return { ...NO_PARTS, unknown: [{ type: 'source', id: query.sourceId }] };
    const read = query.reads.map((datasetId) => ({ type: 'dataset', id: datasetId }) as const);
    return statementParts(sight, { sql: query.sql, params: sampleValues(query.params) }, read);
  },

  async model(sight, id) {
    const definition = await sight.parts.model(id);
    return definition ? modelParts(sight, definition) : NO_PARTS;
  },

  async metric(sight, id) {
    const metric = await metricRepository(sight.table).get(sight.reader.workspaceId, id);
    const definition = metric && (await sight.parts.model(metric.modelId));
    return definition ? whole(metric.name, partsOfMetric(definition, metric)) : NO_PARTS;
  },

  async blend({ table, reader, parts }, id) {
    const blend = await blendRepository(table).get(reader.workspaceId, id);
    if (!blend) return NO_PARTS;
    const [left, right] = await Promise.all([parts.model(blend.leftModelId), parts.model(blend.rightModelId)]);
    const fieldsIn = (definition: ModelDefinition | undefined, { tableId, alias }: SideTable): ObjectPart[] =>
      definition
        ? fieldsOf(definition, tableId).map((field) => ({
            id: `${alias}.${field.name}`,
            name: `${alias}.${field.name}`,
            inputs: [{ type: 'model', id: definition.model.id, part: field.id }],
          }))
        : [];
    const keys = blend.keys.flatMap(({ leftFieldId, rightFieldId }): PartRef[] => [
      { type: 'model', id: blend.leftModelId, part: leftFieldId },
      { type: 'model', id: blend.rightModelId, part: rightFieldId },
    ]);
    return {
      parts: [...fieldsIn(left, sideOf(blend, 'left')), ...fieldsIn(right, sideOf(blend, 'right'))],
      deciding: keys,
      unknown: [],
    };
  },

  async dashboard(sight, id) {
    const cards = (await seenCards(sight.table, sight.reader, id)).filter(hasRows);
    return together(
      await Promise.all(
        cards.map(async (card) => ({
          id: card.id,
          name: card.title || card.id,
          inputs: await partsOfQuery(sight, queryOf(card), card.chartSpec),
        })),
      ),
    );
  },

  async report(sight, id) {
    const report = await reportRepository(sight.table).read(sight.reader.workspaceId, id);
    const blocks = report?.layout.blocks.filter(isDataBlock) ?? [];
    return together(
      await Promise.all(
        blocks.map(async ({ id: blockId, title, chartSpec }) => ({
          id: blockId,
          name: title || blockId,
          inputs: await partsOfQuery(sight, chartSpec.query, chartSpec),
        })),
      ),
    );
  },

  async story(sight, id) {
    const { contents } = await contentsOfStory(sight, id);
    const blocks = contents.flatMap(liveBlocksOf).map(async ({ part, blockId }) => {
      const { source } = part;
      const name = part.title ?? blockId;
      if (source.kind === 'card') {
        const card: PartRef = { type: 'dashboard', id: source.dashboardId, part: source.cardId };
        return { id: blockId, name, inputs: [card] };
      }
      if (source.kind !== 'chart') return { id: blockId, name, inputs: [] };
      const chart = source.chartSpec as ChartSpec;
      return { id: blockId, name, inputs: await partsOfQuery(sight, chart.query, chart) };
    });
    const values = contents
      .flatMap(inlineValuesOf)
      .flatMap(({ part: { source }, blockId }): ObjectPart[] =>
        'metricId' in source
          ? [{ id: blockId, name: blockId, inputs: [{ type: 'metric', id: source.metricId, part: null }] }]
          : [],
      );
    return together([...(await Promise.all(blocks)), ...values]);
  },

  async alert(sight, id) {
    const alert = await alertRepository(sight.table).get(sight.reader.workspaceId, id);
    if (!alert) return NO_PARTS;
    const { condition } = alert;
    if (condition.kind === 'metric') return whole(alert.name, [{ type: 'metric', id: condition.metricId, part: null }]);
    const { source, column, by } = condition;
    if (source.kind === 'card')
      return whole(alert.name, [{ type: 'dashboard', id: source.dashboardId!, part: source.id }]);
    if (source.kind === 'savedQuery') {
      const named = [column, ...(by ? [by.column] : [])];
      return whole(
        alert.name,
        named.map((part) => ({ type: 'saved-query', id: source.id, part })),
      );
    }
    return whole(alert.name, await partsOfQuery(sight, queryOfField(condition)));
  },

  async 'metric-digest'({ table, reader }, id) {
    const digest = await digestRepository(table).get(reader.workspaceId, id);
    const metrics = digest?.metricIds.map((metricId) => ({ type: 'metric', id: metricId, part: null }) as const);
    return digest ? whole(digest.name, metrics ?? []) : NO_PARTS;
  },

  async share({ table, reader }, id) {
    const share = await shareRepository(table).get(reader.workspaceId, id);
    return share ? whole(share.tokenPrefix, [{ type: share.contentType, id: share.contentId, part: null }]) : NO_PARTS;
  },
};

async function datasetParts(sight: Sight, id: string): Promise<ObjectParts> {
  const { parts } = sight;
  const dataset = (await parts.datasets()).get(id);
  if (!dataset) return NO_PARTS;
  const loaded = [...(await parts.dags())].flatMap(([pipelineId, dag]) =>
    loadsInto(dag, dataset).map(({ stepId }) => ({ pipelineId, stepId })),
  );
  const ofLoads = (column: string): PartRef[] =>
    loaded.map(({ pipelineId, stepId }) => ({ type: 'pipeline', id: pipelineId, part: `${stepId}.${column}` }));
  const withLoads = (
    inputsOf: (column: string) => readonly PartRef[],
    columns: readonly { name: string }[] = dataset.columns,
  ): ObjectPart[] => columns.map(({ name }) => ({ id: name, name, inputs: [...ofLoads(name), ...inputsOf(name)] }));
  const { source } = dataset;
  if (!source) return together(withLoads(() => []));
  if (source.kind === 'query')
    return { ...together(withLoads(() => [])), unknown: [{ type: 'source', id: source.sourceId }] };
  if (source.kind !== 'datasets') {
    const place = source.kind === 'file' ? [source.path] : [source.schema, source.table];
    return together(
      withLoads((column) => [{ type: 'source', id: source.sourceId, part: sourceColumn(place, column) }]),
    );
  }
  const names = (await parts.derived()).get(id);
  const read = await Promise.all((names ?? []).map((name) => parts.datasetNamed(name)));
  const refs = read.flatMap((each): LineageRef[] => (each ? [{ type: 'dataset', id: each.id }] : []));
  const statement = await statementParts(sight, { sql: source.sql }, refs);
  const inputs = new Map(statement.parts.map((part) => [part.id!.toLowerCase(), part.inputs]));
  // Before its first refresh, a dataset has no columns.
  const columns = dataset.version === 0 ? statement.parts : dataset.columns;
  return { ...statement, parts: withLoads((column) => inputs.get(column.toLowerCase()) ?? [], columns) };
}

/** The columns of a statement over datasets. */
async function statementParts(
  sight: Sight,
  statement: Pick<Parameters<Sight['parts']['analyse']>[0], 'sql' | 'params'>,
  read: readonly LineageRef[],
): Promise<ObjectParts> {
  const all = await sight.parts.datasets();
  const tables = read.flatMap(({ id }) => all.get(id) ?? []);
  const analysis = await sight.parts.analyse({
    ...statement,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  });
  if (!analysis) return { ...NO_PARTS, unknown: read };
  const ids = new Map(tables.map(({ name, id }) => [name.toLowerCase(), id]));
  const refOf = ({ table, column }: { table: string; column: string }): PartRef[] => {
    const id = ids.get(table.toLowerCase());
    return id === undefined ? [] : [{ type: 'dataset', id, part: column }];
  };
  const { columns, indirect, isIndirectComplete } = analysis.lineage;
  const isComplete = isIndirectComplete && columns.every(({ inputs }) => inputs !== null);
  return {
    parts: columns.map(({ name, inputs }) => ({ id: name, name, inputs: (inputs ?? []).flatMap(refOf) })),
    deciding: distinctParts(indirect.flatMap(refOf)),
    unknown: isComplete ? [] : read,
  };
}

export const partsOfMetric = (definition: ModelDefinition, metric: MetricDefinition): PartRef[] =>
  partsOfModel(definition, [
    { measureId: metric.measureId ?? undefined, fieldId: metric.fieldId ?? undefined },
    { fieldId: metric.timeFieldId },
    ...conditionsIn(metric.filters),
  ]);

/** An object without parts. */
const whole = (name: string, inputs: readonly PartRef[]): ObjectParts => ({
  ...NO_PARTS,
  parts: [{ id: null, name, inputs: distinctParts(inputs) }],
});

/** Parts of which some may have the same id, such as the blocks of a draft and of what was published of it. */
function together(parts: readonly ObjectPart[]): ObjectParts {
  const byId = new Map<string | null, ObjectPart>();
  for (const part of parts) {
    const inputs = distinctParts([...(byId.get(part.id)?.inputs ?? []), ...part.inputs]);
    byId.set(part.id, { ...part, inputs });
  }
  return { ...NO_PARTS, parts: [...byId.values()] };
}
