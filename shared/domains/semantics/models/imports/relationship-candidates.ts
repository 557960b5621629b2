import type { ModelDefinition } from '../definition/definition.ts';
import type { ModelField, ModelTable } from '../definition/records.ts';
import { joinIssues } from '../parts/relationships.ts';
import { wordsOf } from './import-defaults.ts';

/** Two fields that their names make likely to join: each value of `many` may be one of `one`. */
export interface RelationshipCandidate {
  many: ModelField;
  one: ModelField;
  /** From 0 to 1. */
  likelihood: number;
}

const REFERENCE = /^(.+)_(id|ids|key|code|uuid|no|nr|number)$/;
const KEY = /^(id|key|code|uuid|no|nr|number)$/;
/** More tables with a field of the same name say nothing about any two of them. */
const MAX_NAMESAKES = 5;

/** The pairs that are not joined yet and whose types can be equal, the most likely first. */
export function relationshipCandidates(definition: ModelDefinition): RelationshipCandidate[] {
  const fields = [...definition.fields.values()].filter(({ expression }) => expression === null);
  const entities = tablesByEntity(definition);
  const byTable = Map.groupBy(fields, ({ tableId }) => tableId);
  const namesakes = Map.groupBy(fields, ({ name }) => wordsOf(name));
  const found = fields.flatMap((field) => [
    ...byReference(field, entities, byTable),
    ...byEqualName(field, namesakes.get(wordsOf(field.name))!),
  ]);
  const taken = new Set([...definition.relationships.values()].map((each) => pairOf(each.fromFieldId, each.toFieldId)));
  return found
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(({ many, one }) => {
      const pair = pairOf(many.id, one.id);
      if (taken.has(pair)) return false;
      taken.add(pair);
      return joinIssues(definition, endsOf(one, many)).length === 0;
    });
}

/** Both ends of a suggestion by the names that expressions use, besides its ids. */
export function namedEnds({ tables }: ModelDefinition, from: ModelField, to: ModelField) {
  return {
    fromTable: tables.get(from.tableId)!.alias,
    fromField: from.name,
    toTable: tables.get(to.tableId)!.alias,
    toField: to.name,
    ...endsOf(from, to),
  };
}

const pairOf = (one: string, other: string) => [one, other].sort().join();

export const endsOf = (from: ModelField, to: ModelField) => ({
  fromTableId: from.tableId,
  fromFieldId: from.id,
  toTableId: to.tableId,
  toFieldId: to.id,
});

/** Tables by what one of their rows is: `sales_orders` has rows of `sales_order` and of `order`. */
function tablesByEntity({ tables }: ModelDefinition): ReadonlyMap<string, ModelTable[]> {
  const entities = new Map<string, ModelTable[]>();
  for (const table of tables.values())
    for (const name of new Set([table.alias, table.sourceTable].flatMap((each) => entitiesOf(wordsOf(each)))))
      entities.set(name, [...(entities.get(name) ?? []), table]);
  return entities;
}

const entitiesOf = (words: string) => [words, singular(words), singular(words.split('_').at(-1)!)];

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/(?<=[^s])s$/, '');
}

/** `customer_id` and `customer` name a row of `customers`, and `billing_customer_id` one in a role. */
function byReference(
  many: ModelField,
  entities: ReadonlyMap<string, ModelTable[]>,
  byTable: ReadonlyMap<string, ModelField[]>,
): RelationshipCandidate[] {
  const name = wordsOf(many.name);
  const [, base = name, suffix] = REFERENCE.exec(name) ?? [];
  const words = base.split('_');
  const roles = words.map((_, index) => ({
    entity: words.slice(index).join('_'),
    likelihood: index === 0 ? 0.9 : 0.75,
  }));
  return roles.flatMap(({ entity, likelihood }) =>
    (entities.get(entity) ?? [])
      .filter(({ id }) => id !== many.tableId)
      .flatMap(({ id }) => byTable.get(id) ?? [])
      .filter((one) => isKeyOf(one, entity, suffix))
      .map((one) => ({ many, one, likelihood: suffix ? likelihood : likelihood - 0.3 })),
  );
}

function isKeyOf({ name, isKey }: ModelField, entity: string, suffix: string | undefined): boolean {
  const words = wordsOf(name);
  if (isKey || words === suffix || (suffix === undefined && KEY.test(words))) return true;
  return suffix !== undefined && words === `${entity}_${suffix}`;
}

function byEqualName(many: ModelField, namesakes: readonly ModelField[]): RelationshipCandidate[] {
  if (!REFERENCE.test(wordsOf(many.name))) return [];
  const others = namesakes.filter(({ tableId }) => tableId !== many.tableId);
  const keys = others.filter(({ isKey }) => isKey);
  if (keys.length > 0) return keys.map((one) => ({ many, one, likelihood: 0.8 }));
  return others.length < MAX_NAMESAKES ? others.map((one) => ({ many, one, likelihood: 0.5 })) : [];
}
