import { namedAmong } from '../../../../shared/domains/alerts/recipients/index.ts';
import { type AlertRecord, alertRepository } from '../../../../shared/domains/alerts/rules/index.ts';
import {
  type DashboardRecord,
  dashboardRepository,
  sightOf,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { reportRepository, reportSight } from '../../../../shared/domains/boards/reports/index.ts';
import type { SearchDocument, SearchedType } from '../../../../shared/domains/catalog/search/index.ts';
import { type TermRecord, termRepository } from '../../../../shared/domains/catalog/terms/index.ts';
import { pipelineRepository } from '../../../../shared/domains/pipelines/store/index.ts';
import { testRepository } from '../../../../shared/domains/quality/index.ts';
import { blendRepository } from '../../../../shared/domains/semantics/blends/index.ts';
import { metricRepository } from '../../../../shared/domains/semantics/metrics/index.ts';
import {
  concealedColumns,
  DATASETS,
  definitionReader,
  isSameColumn,
  labelsOf,
  type ModelDefinition,
  modelOrNone,
  modelRepository,
} from '../../../../shared/domains/semantics/models/index.ts';
import { savedQueryRepository } from '../../../../shared/domains/semantics/saved-queries/index.ts';
import { storyRepository, storySight } from '../../../../shared/domains/stories/stories/index.ts';
import { grantsTo } from '../../../../shared/domains/tenancy/grants/index.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import type { ReadRule } from '../../../../shared/platform/entitlements/may-read.ts';
import type { Product } from '../../../../shared/platform/entitlements/products.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { CardReader, CardText } from './card-reader.ts';

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

/** What several kinds need of one load. */
export interface Reading {
  definitions(): Promise<readonly ModelDefinition[]>;
  dashboards(): Promise<readonly DashboardRecord[]>;
  terms(): Promise<readonly TermRecord[]>;
  cards: CardReader;
}

export interface SearchedKind extends ReadRule {
  types: readonly SearchedType[];
  read(table: Table, workspaceId: string, reading: Reading): Promise<Searched[]>;
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
  ...{ type, id, name, description: description ?? '', aliases: [], context: '', parent: null },
  ...{ columns: [], tags: [], isCertified: false, isDeprecated: false, updatedAt },
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

const dashboardGrants: NonNullable<SearchedKind['grantsTo']> = (table, principal) =>
  grantsTo(table, principal, 'dashboard');

const dashboards: SearchedKind = {
  types: ['dashboard'],
  permission: 'dashboards:read',
  grantsTo: dashboardGrants,
  read: async (_table, _workspaceId, { dashboards }) =>
    (await dashboards()).map((record): Searched => {
      const { published } = record;
      const draft = documentOf('dashboard', record);
      return {
        draft,
        ...(published && { published: publishedOf(draft, published) }),
        sightFor: (reader) => dashboardSight(record, reader),
      };
    }),
};

function dashboardSight(record: DashboardRecord, { principal, levels }: Reader): 'draft' | 'published' | undefined {
  const sight = sightOf(principal, record, levels.get(record.id));
  return sight && (sight.seesDraft || !record.published ? 'draft' : 'published');
}

/** Cards by their titles and descriptions, for those who see the dashboard; not by what they show. */
const cards: SearchedKind = {
  types: ['card'],
  permission: 'dashboards:read',
  grantsTo: dashboardGrants,
  async read(_table, _workspaceId, { dashboards, cards: readCards }) {
    const found = await readCards(await dashboards());
    return found.flatMap(({ record, draft, published }) => [
      ...draft.map((card) => cardOf(record, 'draft', card)),
      ...published.map((card) => cardOf(record, 'published', card)),
    ]);
  },
};

/** The draft and the published version need not have the same cards, so that each is an object of its own. */
function cardOf(record: DashboardRecord, version: 'draft' | 'published', card: CardText): Searched {
  const { name } = (version === 'published' && record.published) || record;
  const { id, title, description, updatedAt } = card;
  const document = documentOf(
    'card',
    { id, name: title, description, updatedAt },
    {
      key: `card#${record.id}#${id}${version === 'published' ? '#published' : ''}`,
      ...{ parent: { type: 'dashboard', id: record.id, name }, context: name },
    },
  );
  return { draft: document, sightFor: (reader) => (dashboardSight(record, reader) === version ? 'draft' : undefined) };
}

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
  read: async (_table, _workspaceId, { definitions }) =>
    (await definitions()).flatMap((definition) =>
      [documentOf('model', definition.model), ...fieldDocuments(definition)].map(forAll),
    ),
};

/**
 * Datasets are found by their columns too. A column that any model hides, or gives a sensitivity label, is not among
 * these for any caller: those who may read it also know where it is.
 */
const datasets: SearchedKind = {
  types: ['dataset'],
  permission: 'datasets:read',
  product: 'warehouse',
  async read(table, workspaceId, { definitions }) {
    const [records, concealed] = await Promise.all([
      datasetRepository(table).readAll(workspaceId),
      definitions().then(concealedInDatasets),
    ]);
    return records.map((record) => {
      const hidden = concealed.get(foldedName(record.name)) ?? [];
      const shown = record.columns.filter(({ name }) => !hidden.some((column) => isSameColumn(column, name)));
      return forAll(documentOf('dataset', record, { columns: shown.map(({ name }) => name) }));
    });
  },
};

const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase();

/** By the folded name of the dataset. */
function concealedInDatasets(definitions: readonly ModelDefinition[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const definition of definitions) {
    if (definition.model.sourceId !== DATASETS) continue;
    for (const { id, sourceTable } of definition.tables.values()) {
      const name = foldedName(sourceTable);
      found.set(name, [...(found.get(name) ?? []), ...concealedColumns(definition, id)]);
    }
  }
  return found;
}

/** Reads at most once what several kinds need. */
export function readingOf(table: Table, workspaceId: string, cards: CardReader): Reading {
  return {
    cards,
    definitions: once(async () => {
      const definitions = definitionReader(table);
      const found: ModelDefinition[] = [];
      await inParallel(AT_ONCE, await modelRepository(table).readAll(workspaceId), async ({ id }) => {
        const definition = await modelOrNone(definitions, { workspaceId, modelId: id });
        if (definition) found.push(definition);
      });
      return found;
    }),
    terms: once(() => termRepository(table).readAll(workspaceId)),
    dashboards: once(async () =>
      (await dashboardRepository(table).readAll(workspaceId)).filter(({ deletedAt }) => deletedAt === null),
    ),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

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
  read: async (_table, _workspaceId, reading) =>
    (await reading.terms()).map((term) => {
      const { abbreviation, synonyms, hiddenSynonyms, definition, tags } = term;
      const aliases = [...(abbreviation ? [abbreviation] : []), ...synonyms, ...hiddenSynonyms];
      return forAll(documentOf('term', { ...term, description: definition }, { aliases, tags }));
    }),
};

/** Everything that a search finds. What is not here is not found. */
export const SEARCHED_KINDS: readonly SearchedKind[] = [
  dashboards,
  cards,
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
  datasets,
  openKind('data_source', 'data-sources:read', dataSourceRepository),
  openKind('pipeline', 'pipelines:read', pipelineRepository, { product: 'pipelines' }),
  openKind('quality_test', 'quality:read', testRepository),
  terms,
];
