import { SIDES, type Side } from '../../../../data/blends/join-sql.ts';
import { referencesOf, type Scope, toStored } from '../../../../data/expressions/index.ts';
import type { ChartSpec } from '../../../boards/charts/index.ts';
import { blendRepository, sideOf } from '../../../semantics/blends/index.ts';
import { fieldsOf, type ModelDefinition, modelScopeWithout } from '../../../semantics/models/index.ts';
import { conditionsIn } from '../../../semantics/questions/index.ts';
import type { Dataset } from '../../../warehouse/datasets/index.ts';
import type { Sight } from '../kinds.ts';
import type { PartRef } from './types.ts';

type Query = ChartSpec['query'];

/** What a question, its filters or a chart name. */
interface Named {
  fieldId?: string | undefined;
  measureId?: string | undefined;
  column?: string | undefined;
  expression?: string | undefined;
  side?: Side | undefined;
}

/** The parts of its source that the query of a chart uses. `look` is how the chart is drawn. */
export async function partsOfQuery(sight: Sight, query: Query, look?: unknown): Promise<PartRef[]> {
  const { kind, id } = query.source;
  const named = [...(query.dimensions ?? []), ...(query.measures ?? []), ...conditionsIn(query.filters ?? [])];
  switch (kind) {
    case 'metric':
      return [{ type: 'metric', id, part: null }];
    case 'model': {
      const definition = await sight.parts.model(id);
      return definition ? partsOfModel(definition, named) : [];
    }
    case 'dataset': {
      const dataset = (await sight.parts.datasets()).get(id);
      return dataset ? partsOfDataset(dataset, named) : [];
    }
    case 'savedQuery':
      return partsOfSaved(query, named, look).map((part) => ({ type: 'saved-query', id, part }));
    case 'blend':
      return partsOfBlend(sight, id, named);
  }
}

/** The columns that a chart uses; null for what may be any, as of an expression or of a table with all of them. */
function partsOfSaved({ dimensions = [], measures = [], sort = [] }: Query, named: readonly Named[], look: unknown) {
  const isGrouped = dimensions.length + measures.length > 0;
  // The channels of groups name the columns of the groups.
  const shown = isGrouped ? [] : fieldsIn(look);
  const sorted = isGrouped ? [] : sort.map(({ column }) => column);
  const used = new Set([...shown, ...sorted, ...named.flatMap(({ column }) => column ?? [])]);
  const isAny = named.some(({ expression }) => expression !== undefined) || (!isGrouped && shown.length === 0);
  return isAny || used.size === 0 ? [...used, null] : [...used];
}

/** The parts of a blend that a question to it names: fields of its tables, also those that measures are made of. */
async function partsOfBlend(sight: Sight, id: string, named: readonly Named[]): Promise<PartRef[]> {
  const blend = await blendRepository(sight.table).get(sight.reader.workspaceId, id);
  if (!blend) return [];
  const found = await Promise.all(
    SIDES.map(async (side) => {
      const { modelId, tableId, alias } = sideOf(blend, side);
      const definition = await sight.parts.model(modelId);
      if (!definition) return [];
      const ofSide = named.filter((each) => each.side === undefined || each.side === side);
      const used = fieldsBehind(
        definition,
        partsOfModel(definition, ofSide).map(({ part }) => part!),
      );
      return fieldsOf(definition, tableId).flatMap((field) => (used.has(field.id) ? `${alias}.${field.name}` : []));
    }),
  );
  return found.flat().map((part) => ({ type: 'blend', id, part }));
}

/** The fields among the parts of a model, and those that its measures are made of. */
function fieldsBehind({ fields, measures }: ModelDefinition, parts: readonly string[]): Set<string> {
  const known = [...new Set(parts)];
  for (const part of known) {
    const measure = measures.get(part);
    if (!measure) continue;
    const used = referencesOf(measure.expression);
    for (const each of [...used.fields, ...used.measures]) if (!known.includes(each)) known.push(each);
  }
  return new Set(known.filter((part) => fields.has(part)));
}

/** What a question to the model names. Unknown names are an error of the question, not a use. */
export function partsOfModel(definition: ModelDefinition, named: readonly Named[]): PartRef[] {
  const { id } = definition.model;
  const scope = () => modelScopeWithout(definition, new Set());
  return named
    .flatMap((each) => [each.fieldId, each.measureId, ...idsIn(each.expression, scope)])
    .filter((part) => part !== undefined && (definition.fields.has(part) || definition.measures.has(part)))
    .map((part) => ({ type: 'model', id, part: part! }));
}

function partsOfDataset({ id, name, columns }: Dataset, named: readonly Named[]): PartRef[] {
  const scope = (): Scope => ({
    tables: [
      {
        id,
        alias: name,
        fields: columns.map((column) => ({ id: column.name, name: column.name, dataType: 'string' as const })),
      },
    ],
    measures: [],
    home: id,
  });
  return named
    .flatMap((each) => [each.column, ...idsIn(each.expression, scope)])
    .flatMap((part) => (part === undefined ? [] : [{ type: 'dataset' as const, id, part }]));
}

function idsIn(expression: string | undefined, scope: () => Scope): string[] {
  if (expression === undefined) return [];
  const { fields, measures } = referencesOf(toStored(expression, scope()));
  return [...fields, ...measures];
}

/** The columns that the channels of a chart show. */
function fieldsIn(look: unknown): string[] {
  if (typeof look !== 'object' || look === null) return [];
  if (Array.isArray(look)) return look.flatMap(fieldsIn);
  return Object.entries(look).flatMap(([key, value]) => {
    if (key === 'query') return [];
    return key === 'field' && typeof value === 'string' ? [value] : fieldsIn(value);
  });
}
