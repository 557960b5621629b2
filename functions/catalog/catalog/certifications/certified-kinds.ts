import { DASHBOARD_SUBJECT, dashboardRepository } from '../../../../shared/domains/boards/dashboards/index.ts';
import { REPORT_SUBJECT, reportRepository } from '../../../../shared/domains/boards/reports/index.ts';
import { noImport, termRepository } from '../../../../shared/domains/catalog/terms/index.ts';
import { pipelineRepository } from '../../../../shared/domains/pipelines/store/index.ts';
import { certifiedMetric, metricRepository } from '../../../../shared/domains/semantics/metrics/index.ts';
import {
  certifiedModel,
  definitionReader,
  type ModelDefinition,
  modelOrNone,
} from '../../../../shared/domains/semantics/models/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { STORY_SUBJECT, storyRepository } from '../../../../shared/domains/stories/stories/index.ts';
import {
  type Certified,
  type CertifiedObject,
  type CertifiedRef,
  unchangedItem,
} from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { SubjectKind } from '../../../../shared/domains/tenancy/subjects/index.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { ReadRule } from '../../../../shared/platform/entitlements/may-read.ts';
import type { Key } from '../../../../shared/platform/storage/keys.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';

export type Found = Certified & {
  also?: readonly TransactItem[];
  /** The user whose object it is. */
  ownerId: string | null;
};

interface CertifiedKind extends ReadRule {
  /** Undefined if the object does not exist for the reader. */
  find(table: Table, reader: Principal, id: string): Promise<Found | undefined>;
}

interface Records {
  key(workspaceId: string, id: string): Key;
  get(
    workspaceId: string,
    id: string,
  ): Promise<
    { revision: number; name?: string; title?: string; ownerId?: string; createdBy?: string | null } | undefined
  >;
}

/** A kind with a record of its own; `subject` decides who sees its objects, and under which name. */
const recordKind = (
  type: CertifiedObject,
  records: (table: Table) => Records,
  subject?: SubjectKind,
): CertifiedKind['find'] => {
  return async (table, reader, id) => {
    const { workspaceId } = reader;
    const [seen, record] = await Promise.all([
      subject ? subject.find(table, reader, id) : undefined,
      records(table).get(workspaceId, id),
    ]);
    if (!record || (subject && !seen)) return undefined;
    const { revision } = record;
    return {
      ...{ type, id, revision, place: { workspaceId, type, id } },
      name: seen?.name ?? record.name!,
      ownerId: record.ownerId ?? record.createdBy ?? null,
      unchanged: unchangedItem(table, records(table).key(workspaceId, id), { revision }),
    };
  };
};

const KINDS: Record<CertifiedObject, CertifiedKind> = {
  model: {
    permission: 'models:read',
    async find(table, { workspaceId }, id) {
      const definition = await modelOrNone(definitionReader(table), { workspaceId, modelId: id });
      return definition && { ...certifiedModel(table, definition.model), ownerId: definition.model.createdBy };
    },
  },
  metric: {
    permission: 'metrics:read',
    async find(table, { workspaceId }, id) {
      const metric = await metricRepository(table).get(workspaceId, id);
      return metric && { ...certifiedMetric(table, metric), ownerId: metric.ownerId };
    },
  },
  dataset: { permission: 'datasets:read', product: 'warehouse', find: recordKind('dataset', datasetRepository) },
  'saved-query': {
    permission: 'saved-queries:read',
    product: 'warehouse',
    find: recordKind('saved-query', (table) => savedQueryRepository(table).queries),
  },
  dashboard: { permission: 'dashboards:read', find: recordKind('dashboard', dashboardRepository, DASHBOARD_SUBJECT) },
  report: { permission: 'reports:read', find: recordKind('report', reportRepository, REPORT_SUBJECT) },
  story: { permission: 'stories:read', find: recordKind('story', storyRepository, STORY_SUBJECT) },
  pipeline: { permission: 'pipelines:read', product: 'pipelines', find: recordKind('pipeline', pipelineRepository) },
  term: {
    permission: 'catalog:read',
    async find(table, reader, id) {
      const found = await recordKind('term', termRepository)(table, reader, id);
      // A running import has already decided which certifications it ends.
      return found && { ...found, also: [noImport(table, reader.workspaceId)] };
    },
  },
};

/** Parts are read like their model. */
export function kindOf(ref: CertifiedRef, modelId: string | undefined): CertifiedKind | undefined {
  const { type } = ref;
  if (type !== 'table' && type !== 'field' && type !== 'measure') return KINDS[type];
  if (modelId === undefined) return undefined;
  return {
    permission: 'models:read',
    async find(table, { workspaceId }) {
      const definition = await modelOrNone(definitionReader(table), { workspaceId, modelId });
      const part = definition && partOf(definition, { type, id: ref.id });
      if (!part) return undefined;
      const { model } = definition;
      return { ...certifiedModel(table, model, { type, id: ref.id, ...part }), ownerId: model.createdBy };
    },
  };
}

function partOf({ tables, fields, measures }: ModelDefinition, { type, id }: CertifiedRef) {
  if (type === 'table') {
    const found = tables.get(id);
    return found && { name: found.alias, revision: found.revision };
  }
  if (type === 'field') return named(fields.get(id));
  const measure = measures.get(id);
  return measure?.deletedAt === null ? named(measure) : undefined;
}

const named = (part: { name: string; revision: number } | undefined) =>
  part && { name: part.name, revision: part.revision };
