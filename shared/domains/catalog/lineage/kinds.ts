import { liveBlocksOf } from '../../../data/rich-text/index.ts';
import type { Permission } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { mayRead } from '../../../platform/entitlements/may-read.ts';
import type { CheckProduct } from '../../../platform/entitlements/product-check.ts';
import type { Product } from '../../../platform/entitlements/products.ts';
import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Use, UsedKind } from '../../../platform/storage/uses.ts';
import { ALERT_SUBJECT } from '../../alerts/recipients/index.ts';
import { ALERT_USES, alertRepository } from '../../alerts/rules/index.ts';
import { DASHBOARD_SUBJECT } from '../../boards/dashboards/index.ts';
import { REPORT_SUBJECT } from '../../boards/reports/index.ts';
import { streamRepository } from '../../pipelines/cdc/index.ts';
import { pipelineRepository } from '../../pipelines/store/index.ts';
import { blendRepository } from '../../semantics/blends/index.ts';
import { DIGEST_USES, digestRepository } from '../../semantics/metric-reports/index.ts';
import { METRIC_SUBJECT, metricRepository } from '../../semantics/metrics/index.ts';
import { DATASETS, MODEL_SUBJECT, modelRepository } from '../../semantics/models/index.ts';
import { SAVED_QUERY_SUBJECT, savedQueryRepository } from '../../semantics/saved-queries/index.ts';
import { shareRepository } from '../../sharing/shares/index.ts';
import { STORY_SUBJECT, usesOfText } from '../../stories/stories/index.ts';
import type { SubjectKind } from '../../tenancy/subjects/index.ts';
import { DATASET_SUBJECT } from '../../warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../warehouse/sources/index.ts';
import { contentsOfStory } from './story-contents.ts';
import type { LineageObject, LineageRef, LineageType, Origins } from './types.ts';
import type { PipelineFlows, WorkspaceParts } from './workspace-parts.ts';

/** Where a reader looks, with what was read of the workspace so far. */
export interface Sight {
  table: Table;
  reader: Principal;
  parts: WorkspaceParts;
  checkProduct: CheckProduct;
  now: Date;
}

interface LineageKind {
  /** The permission to get an object of the kind, which the rights to a single object may restrict further. */
  read: Permission;
  /** The product that the company needs for it. */
  product?: Product;
  /** Undefined if the object does not exist for the reader. */
  find(sight: Sight, id: string): Promise<Named | undefined>;
  /** What the object is made of, as far as the reader may know: of a dashboard, only what its readers see. */
  origins(sight: Sight, id: string): Promise<Origins>;
}

type Named = Omit<LineageObject, keyof LineageRef>;

const NOTHING: Origins = { refs: [], isComplete: true };
const UNKNOWN: Origins = { refs: [], isComplete: false };

export const LINEAGE_KINDS: Record<LineageType, LineageKind> = {
  source: {
    read: 'data-sources:read',
    find: ({ table, reader }, id) => named(dataSourceRepository(table).get(reader.workspaceId, id)),
    async origins({ parts }, id) {
      const loading = [...(await parts.pipelines())].filter(([, { loads }]) => loads.sourceIds.has(id));
      return complete(loading.map(([pipelineId]) => ({ type: 'pipeline', id: pipelineId })));
    },
  },

  'cdc-stream': {
    read: 'pipelines:read',
    product: 'pipelines',
    async find({ table, reader }, id) {
      const stream = await streamRepository(table).get(reader.workspaceId, id);
      return stream && !stream.deletedAt ? { name: stream.streamId, path: null, ownerId: null } : undefined;
    },
    async origins({ table, reader }, id) {
      const stream = await streamRepository(table).get(reader.workspaceId, id);
      return stream ? complete([{ type: 'source', id: stream.sourceId }]) : NOTHING;
    },
  },

  pipeline: {
    read: 'pipelines:read',
    product: 'pipelines',
    find: ({ table, reader }, id) => named(pipelineRepository(table).get(reader.workspaceId, id)),
    async origins({ parts }, id) {
      const flows = (await parts.pipelines()).get(id);
      if (!flows) return UNKNOWN;
      const { sourceIds, datasets } = flows.reads;
      const read = await Promise.all(datasets.map((name) => parts.datasetNamed(name)));
      const streams = streamsOf(flows, await (flows.reads.streams.length > 0 ? parts.streams() : []));
      return {
        refs: [
          ...[...sourceIds].map((sourceId) => ({ type: 'source', id: sourceId }) as const),
          ...streams.map((stream) => ({ type: 'cdc-stream', id: stream.id }) as const),
          ...read.flatMap((dataset) => (dataset ? { type: 'dataset' as const, id: dataset.id } : [])),
        ],
        isComplete: !datasets.some(isDecidedInRun) && read.every(Boolean),
      };
    },
  },

  dataset: {
    read: 'datasets:read',
    product: 'warehouse',
    find: subject(DATASET_SUBJECT),
    async origins({ parts }, id) {
      const dataset = (await parts.datasets()).get(id);
      if (!dataset) return NOTHING;
      const pipelines = [...(await parts.pipelines())];
      const loading = pipelines.filter(([, { loads }]) => loadsDataset(loads, dataset));
      const refs: LineageRef[] = loading.map(([pipelineId]) => ({ type: 'pipeline', id: pipelineId }));
      const { source } = dataset;
      if (!source) return complete(refs);
      if (source.kind !== 'datasets') return complete([...refs, { type: 'source', id: source.sourceId }]);
      const names = (await parts.derived()).get(id);
      const read = await Promise.all((names ?? []).map((name) => parts.datasetNamed(name)));
      return {
        refs: [...refs, ...read.flatMap((each) => (each ? { type: 'dataset' as const, id: each.id } : []))],
        isComplete: names !== undefined,
      };
    },
  },

  'saved-query': {
    read: 'saved-queries:read',
    product: 'warehouse',
    find: subject(SAVED_QUERY_SUBJECT),
    async origins({ table, reader }, id) {
      const query = await savedQueryRepository(table).queries.get(reader.workspaceId, id);
      if (!query) return NOTHING;
      return complete([
        ...query.reads.map((datasetId) => ({ type: 'dataset', id: datasetId }) as const),
        ...(query.sourceId === null ? [] : [{ type: 'source', id: query.sourceId } as const]),
      ]);
    },
  },

  model: {
    read: 'models:read',
    find: subject(MODEL_SUBJECT),
    async origins({ table, reader, parts }, id) {
      const model = await modelRepository(table).get(reader.workspaceId, id);
      if (!model) return NOTHING;
      if (model.sourceId !== DATASETS) return complete([{ type: 'source', id: model.sourceId }]);
      const names = (await parts.modelTables()).get(id) ?? [];
      const shown = await Promise.all(names.map((name) => parts.datasetNamed(name)));
      return {
        refs: shown.flatMap((dataset) => (dataset ? { type: 'dataset' as const, id: dataset.id } : [])),
        isComplete: shown.every(Boolean),
      };
    },
  },

  metric: {
    read: 'metrics:read',
    find: subject(METRIC_SUBJECT),
    async origins({ table, reader }, id) {
      const metric = await metricRepository(table).get(reader.workspaceId, id);
      return metric ? complete([{ type: 'model', id: metric.modelId }]) : NOTHING;
    },
  },

  blend: {
    read: 'blends:read',
    find: ({ table, reader }, id) => named(blendRepository(table).get(reader.workspaceId, id)),
    async origins({ table, reader }, id) {
      const blend = await blendRepository(table).get(reader.workspaceId, id);
      if (!blend) return NOTHING;
      return complete([blend.leftModelId, blend.rightModelId].map((modelId) => ({ type: 'model', id: modelId })));
    },
  },

  dashboard: { read: 'dashboards:read', find: subject(DASHBOARD_SUBJECT), origins: seenParts(DASHBOARD_SUBJECT) },
  report: { read: 'reports:read', find: subject(REPORT_SUBJECT), origins: seenParts(REPORT_SUBJECT) },

  story: {
    read: 'stories:read',
    find: subject(STORY_SUBJECT),
    origins: originsOfStory,
  },

  alert: {
    read: 'alerts:read',
    find: subject(ALERT_SUBJECT),
    async origins(sight, id) {
      const { table, reader } = sight;
      const { refs } = await uses(ALERT_USES)(sight, id);
      const alert = await alertRepository(table).get(reader.workspaceId, id);
      const source = alert?.condition.kind === 'metric' ? undefined : alert?.condition.source;
      return complete([
        ...refs,
        ...(source?.dashboardId ? [{ type: 'dashboard', id: source.dashboardId } as const] : []),
      ]);
    },
  },

  'metric-digest': {
    read: 'metrics:read',
    find: ({ table, reader }, id) => named(digestRepository(table).get(reader.workspaceId, id)),
    origins: uses(DIGEST_USES),
  },

  share: {
    read: 'shares:manage',
    async find({ table, reader, now }, id) {
      const share = await shareRepository(table).get(reader.workspaceId, id);
      const isOpen = share && (share.validUntil === null || share.validUntil > now.toISOString());
      return isOpen ? { name: share.tokenPrefix, path: null, ownerId: share.createdBy } : undefined;
    },
    async origins({ table, reader }, id) {
      const share = await shareRepository(table).get(reader.workspaceId, id);
      return share ? complete([{ type: share.contentType, id: share.contentId }]) : NOTHING;
    },
  },
};

/** Whether the operation that returns an object of the kind would answer the reader at all. */
export function maySee(sight: Sight, type: LineageType): Promise<boolean> {
  const { read: permission, product } = LINEAGE_KINDS[type];
  return mayRead(sight, sight.reader, { permission, ...(product && { product }) });
}

/** What records of the platform call each other when they use each other. */
export const TYPE_OF_USE: Partial<Record<UsedKind, LineageType>> = {
  model: 'model',
  dataset: 'dataset',
  savedQuery: 'saved-query',
  metric: 'metric',
  blend: 'blend',
};

export const loadsDataset = (
  { datasetIds, datasets }: PipelineFlows['loads'],
  { id, name }: { id: string; name: string },
): boolean => datasetIds.includes(id) || datasets.some((each) => each.toLowerCase() === name.toLowerCase());

function streamsOf(flows: PipelineFlows, streams: Awaited<ReturnType<WorkspaceParts['streams']>>) {
  return streams.filter(({ sourceId, streamId }) =>
    flows.reads.streams.some((each) => each.sourceId === sourceId && each.streamId === streamId),
  );
}

/** Whether the name of a dataset is known only in a run. */
const isDecidedInRun = (name: string) => name.includes('{{');

const complete = (refs: readonly LineageRef[]): Origins => ({ refs, isComplete: true });

async function named(
  record: Promise<{ name: string; createdBy?: string | null } | undefined>,
): Promise<Named | undefined> {
  const found = await record;
  return found && { name: found.name, path: null, ownerId: found.createdBy ?? null };
}

function subject(kind: SubjectKind): LineageKind['find'] {
  return async ({ table, reader }, id) => {
    const found = await kind.find(table, reader, id);
    return found && { name: found.name, path: found.path, ownerId: found.ownerId };
  };
}

function seenParts(kind: SubjectKind): LineageKind['origins'] {
  return async ({ table, reader }, id) => {
    const parts = (await kind.parts?.(table, reader, id)) ?? [];
    return complete(
      parts.flatMap(({ source, isHidden }) =>
        source && !isHidden ? { type: TYPE_OF_USE[source.kind]!, id: source.id } : [],
      ),
    );
  };
}

async function originsOfStory(sight: Sight, storyId: string): Promise<Origins> {
  const { contents, isComplete } = await contentsOfStory(sight, storyId);
  const dashboards = contents
    .flatMap(liveBlocksOf)
    .flatMap(({ part: { source } }) => (source.kind === 'card' ? [source.dashboardId] : []));
  return {
    refs: [
      ...contents.flatMap(usesOfText).flatMap(refOfUse),
      ...dashboards.map((id) => ({ type: 'dashboard', id }) as const),
    ],
    isComplete,
  };
}

function uses(kind: ReferrerKind): LineageKind['origins'] {
  return async ({ table, reader }, id) => {
    const found = await kind.read(table, reader.workspaceId, id);
    return complete((found?.uses ?? []).flatMap(refOfUse));
  };
}

function refOfUse({ kind, id }: Use): LineageRef[] {
  const type = TYPE_OF_USE[kind];
  return type ? [{ type, id }] : [];
}
