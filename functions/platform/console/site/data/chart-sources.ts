import type { SourceColumn } from './chart-form.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type SourceKind = Types.ChartSource['kind'];

/** What charts are made of, in the order in which they are offered. */
export const SOURCE_KINDS: Readonly<Record<SourceKind, string>> = {
  dataset: 'Dataset',
  model: 'Model',
  savedQuery: 'Saved query',
  metric: 'Metric',
  blend: 'Blend',
};

export interface FoundSource {
  kind: SourceKind;
  id: string;
  name: string;
}

const MAX_OFFERED = 20;
const MAX_FIELDS = 1_000;

const found = (kind: SourceKind, items: readonly { id: string; name: string }[]): FoundSource[] =>
  items.map(({ id, name }) => ({ kind, id, name }));

/** The sources of a kind with this text in their names. */
export const useSources = (kind: SourceKind, search: string) =>
  useQuery(
    ['chart-sources', kind, search],
    async () => {
      const asked = { limit: MAX_OFFERED, ...(search && { search }) };
      switch (kind) {
        case 'dataset':
          return found(kind, (await api.datasets.list(asked)).items);
        case 'model':
          return found(kind, (await api.models.list(asked)).items);
        case 'savedQuery':
          return found(kind, (await api.savedQueries.list(asked)).items);
        case 'metric':
          return found(kind, (await api.metrics.list(asked)).items);
        case 'blend':
          return found(kind, (await api.blends.list(asked)).items);
      }
    },
    { keepsLast: true },
  );

/** The name of a source; undefined until it is read. */
export const useSourceName = (source: Types.ChartSource | undefined) =>
  useQuery(['chart-sources', 'name', source], () => nameOf(source!), { enabled: source !== undefined }).data;

async function nameOf({ kind, id }: Types.ChartSource): Promise<string> {
  switch (kind) {
    case 'dataset':
      return (await api.datasets.get(id)).name;
    case 'model':
      return (await api.models.get(id)).name;
    case 'savedQuery':
      return (await api.savedQueries.get(id)).name;
    case 'metric':
      return (await api.metrics.get(id)).name;
    case 'blend':
      return (await api.blends.get(id)).name;
  }
}

/** What a chart of the source can show. Metrics have no columns to choose. */
export const useColumns = (source: Types.ChartSource | undefined) =>
  useQuery(['chart-sources', 'columns', source], () => columnsOf(source!), { enabled: source !== undefined });

export async function columnsOf({ kind, id }: Types.ChartSource): Promise<SourceColumn[]> {
  switch (kind) {
    case 'dataset':
      return (await api.datasets.get(id)).columns.map(({ name, type }) => plainColumn(name, type));
    case 'model':
      return [...(await measuresOf(id)), ...(await fieldsOf(id))];
    case 'savedQuery': {
      const query = { source: { kind, id }, limit: 1 };
      const { columns } = await api.charts.preview({ chartSpec: { version: 1, query, mark: { type: 'table' } } });
      return columns.map(({ name, type }) => plainColumn(name, type));
    }
    case 'metric':
      return [];
    case 'blend': {
      const { leftModelId, rightModelId } = await api.blends.get(id);
      const sides = [
        ['left', leftModelId],
        ['right', rightModelId],
      ] as const;
      const fields = await Promise.all(
        sides.map(async ([side, modelId]) => (await fieldsOf(modelId)).map((field) => ofSide(field, side))),
      );
      return fields.flat();
    }
  }
}

const plainColumn = (name: string, type: string): SourceColumn => ({
  key: name,
  label: name,
  kind: kindOf(type),
  dimension: { column: name },
  measure: { column: name },
});

const kindOf = (type: string): SourceColumn['kind'] => {
  if (/^(date|timestamp|datetime)/.test(type)) return 'time';
  return /^(integer|bigint|hugeint|double|float|decimal|number)/.test(type) ? 'number' : 'other';
};

const fieldsOf = async (modelId: string): Promise<SourceColumn[]> => {
  const { items } = await api.models.listFields(modelId, { limit: MAX_FIELDS });
  return items
    .filter(({ isHidden, missing }) => !isHidden && !missing)
    .map(({ id, name, dataType }) => ({
      key: id,
      label: name,
      kind: kindOf(dataType),
      dimension: { fieldId: id },
      measure: { fieldId: id },
    }));
};

const measuresOf = async (modelId: string): Promise<SourceColumn[]> => {
  const { items } = await api.models.listMeasures(modelId, { limit: MAX_FIELDS });
  return items
    .filter(({ isHidden }) => !isHidden)
    .map(({ id, name }) => ({
      key: id,
      label: name,
      kind: 'number' as const,
      isMeasure: true,
      dimension: {},
      measure: { measureId: id },
    }));
};

const ofSide = (column: SourceColumn, side: 'left' | 'right'): SourceColumn => ({
  ...column,
  key: `${side} ${column.key}`,
  dimension: { ...column.dimension, side },
  measure: { ...column.measure, side },
});

const IMAGE = { width: 320, height: 200 };

/** What suits the rows of a question, best first, as charts with their pictures. */
export async function suggestionsFor(query: Types.ChartQuery, theme: Types.ThemeTokens) {
  const { suggestions } = await api.charts.suggest({ query, image: { ...IMAGE, theme } });
  return suggestions.map(({ cardType, look, reason, image }) => ({
    cardType,
    reason,
    image,
    spec: { version: 1, query, ...look } as Types.ChartSpec,
  }));
}
