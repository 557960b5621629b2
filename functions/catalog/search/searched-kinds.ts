import { namedAmong } from '../../../shared/domains/alerts/recipients/index.ts';
import { type AlertRecord, alertRepository } from '../../../shared/domains/alerts/rules/index.ts';
import { dashboardRepository, sightOf } from '../../../shared/domains/boards/dashboards/index.ts';
import { reportRepository, reportSight } from '../../../shared/domains/boards/reports/index.ts';
import type { SearchDocument, SearchedType } from '../../../shared/domains/catalog/search/index.ts';
import { termRepository } from '../../../shared/domains/catalog/terms/index.ts';
import { pipelineRepository } from '../../../shared/domains/pipelines/store/index.ts';
import { testRepository } from '../../../shared/domains/quality/index.ts';
import { blendRepository } from '../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import {
  definitionReader,
  labelsOf,
  type ModelDefinition,
  modelOrNone,
  modelRepository,
} from '../../../shared/domains/semantics/models/index.ts';
import { savedQueryRepository } from '../../../shared/domains/semantics/saved-queries/index.ts';
import { storyRepository, storySight } from '../../../shared/domains/stories/stories/index.ts';
import { grantsTo } from '../../../shared/domains/tenancy/grants/index.ts';
import { datasetRepository } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { isPermitted } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../shared/platform/concurrency/in-parallel.ts';
import type { ReadRule } from '../../../shared/platform/entitlements/may-read.ts';
import type { Product } from '../../../shared/platform/entitlements/products.ts';
import type { Table } from '../../../shared/platform/storage/table.ts';

/** An object with what the index has of it, for each sort of reader. */
export interface Searched {
  draft: SearchDocument;
  /** What readers of the published version find; absent where all who see the object see the same. */
  published?: SearchDocument;
  /** Which of the two a caller sees; undefined if the object does not exist for them. */
  sightFor(reader: Reader): 'draft' | 'published' | undefined;
  /** What its kind finds out with who sees it; absent where grants or the permission alone decide. */
  alert?: AlertRecord;
}

/** A caller, with what decides about single objects of a kind. */
export interface Reader {
  principal: Principal;
  levels: ReadonlyMap<string, { level: string; via: 'grant' | 'group' }>;
  /** The ids of the objects that a kind without grants has found visible. */
  seen: ReadonlySet<string>;
}

export interface SearchedKind extends ReadRule {
  types: readonly SearchedType[];
  read(table: Table, workspaceId: string): Promise<Searched[]>;
  grantsTo?(table: Table, principal: Principal): Promise<Reader['levels']>;
  seenBy?(table: Table, principal: Principal, objects: readonly Searched[]): Promise<ReadonlySet<string>>;
}

interface Named {
  id: string;
  name: string;
  description?: string | null;
  updatedAt: string;
}

const AT_ONCE = 8;

const documentOf = (
  type: SearchedType,
  { id, name, description, updatedAt }: Named,
  more: Partial<SearchDocument> = {},
): SearchDocument => ({
  key: `${type}#${id}`,
  ...{ type, id, name, description: description ?? '', aliases: [], context: '', parent: null, updatedAt },
  ...{ isCertified: false, isDeprecated: false },
  ...more,
});

/** Everyone with the permission of the kind sees the object. */
const forAll = (document: SearchDocument): Searched => ({ draft: document, sightFor: () => 'draft' });

interface Records<R> {
  readAll(workspaceId: string): Promise<R[]>;
}

/** A kind whose objects everyone with the permission may read. */
const openKind = <R extends Named>(
  type: SearchedType,
  permission: ReadRule['permission'],
  repository: (table: Table) => Records<R>,
  { contextOf = () => '', product }: { contextOf?: (record: R) => string; product?: Product } = {},
): SearchedKind => ({
  types: [type],
  permission,
  ...(product ? { product } : {}),
  read: async (table, workspaceId) =>
    (await repository(table).readAll(workspaceId)).map((record) =>
      forAll(documentOf(type, record, { context: contextOf(record) })),
    ),
});

const dashboards: SearchedKind = {
  types: ['dashboard'],
  permission: 'dashboards:read',
  grantsTo: (table, principal) => grantsTo(table, principal, 'dashboard'),
  read: async (table, workspaceId) =>
    (await dashboardRepository(table).readAll(workspaceId)).flatMap((record): Searched[] => {
      const { published, deletedAt } = record;
      if (deletedAt !== null) return [];
      const draft = documentOf('dashboard', record);
      return [
        {
          draft,
          ...(published && { published: publishedOf(draft, published) }),
          sightFor: ({ principal, levels }) => {
            const sight = sightOf(principal, record, levels.get(record.id));
            return sight && (sight.seesDraft || !published ? 'draft' : 'published');
          },
        },
      ];
    }),
};

const stories: SearchedKind = {
  types: ['story'],
  permission: 'stories:read',
  grantsTo: (table, principal) => grantsTo(table, principal, 'story'),
  read: async (table, workspaceId) =>
    (await storyRepository(table).readAll(workspaceId)).flatMap((record): Searched[] => {
      const { published, deletedAt, archivedAt } = record;
      if (deletedAt !== null || archivedAt !== null) return [];
      const draft = documentOf('story', { ...record, name: record.title, description: record.summary });
      return [
        {
          draft,
          ...(published && {
            published: publishedOf(draft, { name: published.title, description: published.summary ?? '' }),
          }),
          sightFor: ({ principal, levels }) => {
            const sight = storySight(principal, record, levels.get(record.id));
            return sight && (sight.seesDraft || !published ? 'draft' : 'published');
          },
        },
      ];
    }),
};

const publishedOf = (draft: SearchDocument, { name, description }: { name: string; description: string }) => ({
  ...draft,
  key: `${draft.key}#published`,
  name,
  description,
});

const reports: SearchedKind = {
  types: ['report'],
  permission: 'reports:read',
  grantsTo: (table, principal) => grantsTo(table, principal, 'report'),
  read: async (table, workspaceId) =>
    (await reportRepository(table).readAll(workspaceId))
      .filter(({ deletedAt }) => deletedAt === null)
      .map((record) => ({
        draft: documentOf('report', record),
        sightFor: ({ principal, levels }) => reportSight(principal, record, levels.get(record.id)) && 'draft',
      })),
};

/** Alerts are seen by those who manage them, and by those whom they name or notify. */
const alerts: SearchedKind = {
  types: ['alert'],
  permission: 'alerts:read',
  read: async (table, workspaceId) =>
    (await alertRepository(table).readAll(workspaceId)).map((record) => ({
      draft: documentOf('alert', { ...record, description: '' }),
      sightFor: ({ seen }) => (seen.has(record.id) ? 'draft' : undefined),
      alert: record,
    })),
  async seenBy(table, principal, objects) {
    const records = objects.flatMap(({ alert }) => alert ?? []);
    if (isPermitted('alerts:manage', { ...principal, scope: null })) return new Set(records.map(({ id }) => id));
    return namedAmong(table, principal, records);
  },
};

const models: SearchedKind = {
  types: ['model', 'field'],
  permission: 'models:read',
  async read(table, workspaceId) {
    const definitions = definitionReader(table);
    const found: Searched[] = [];
    await inParallel(AT_ONCE, await modelRepository(table).readAll(workspaceId), async (record) => {
      found.push(forAll(documentOf('model', record)));
      const definition = await modelOrNone(definitions, { workspaceId, modelId: record.id });
      if (definition) found.push(...fieldDocuments(definition).map(forAll));
    });
    return found;
  },
};

/** Fields that are hidden are not found, nor are those of a column with a sensitivity label. */
function fieldDocuments(definition: ModelDefinition): SearchDocument[] {
  const { model, tables, fields, measures } = definition;
  const parent = { type: 'model' as const, id: model.id, name: model.name };
  const labelled = new Set([...tables.keys()].flatMap((id) => labelsOf(definition, id).map(({ field }) => field.id)));
  const columns = [...fields.values()].flatMap((field) => {
    const table = tables.get(field.tableId);
    if (!table || field.isHidden || field.sensitivityLabel !== null || labelled.has(field.id)) return [];
    const aliases = [`${table.alias}.${field.name}`];
    return [documentOf('field', field, { aliases, parent, context: `${model.name} ${table.alias}` })];
  });
  const calculated = [...measures.values()]
    .filter(({ isHidden, deletedAt }) => !isHidden && deletedAt === null)
    .map((measure) => documentOf('field', measure, { parent, context: `${model.name} ${measure.folder}` }));
  return [...columns, ...calculated];
}

/** Terms are found by their other names too, also by misspellings. */
const terms: SearchedKind = {
  types: ['term'],
  permission: 'catalog:read',
  read: async (table, workspaceId) =>
    (await termRepository(table).readAll(workspaceId)).map((term) => {
      const { abbreviation, synonyms, hiddenSynonyms, definition, tags } = term;
      const aliases = [...(abbreviation ? [abbreviation] : []), ...synonyms, ...hiddenSynonyms];
      return forAll(documentOf('term', { ...term, description: definition }, { aliases, context: tags.join(' ') }));
    }),
};

/** Everything that a search finds. What is not here is not found. */
export const SEARCHED_KINDS: readonly SearchedKind[] = [
  dashboards,
  stories,
  reports,
  alerts,
  models,
  openKind('metric', 'metrics:read', metricRepository),
  openKind('blend', 'blends:read', blendRepository),
  openKind('saved_query', 'saved-queries:read', (table) => savedQueryRepository(table).queries, {
    contextOf: ({ folder }) => folder,
    product: 'warehouse',
  }),
  openKind('dataset', 'datasets:read', datasetRepository, { product: 'warehouse' }),
  openKind('data_source', 'data-sources:read', dataSourceRepository),
  openKind('pipeline', 'pipelines:read', pipelineRepository, { product: 'pipelines' }),
  openKind('quality_test', 'quality:read', testRepository),
  terms,
];
