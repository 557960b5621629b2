import type { JoinType, Relationship } from '../../../../../shared/data/semantics/model.ts';
import { seededRandom } from '../../../../support/seeded-random.ts';
import type { Shape } from './ask.ts';

/** `one>many`, `one=one` or `many<>many`. */
export function relation(text: string, joinType: JoinType = 'left'): Relationship {
  const [, from, sign, to] = /^(\w+)(>|=|<>)(\w+)$/.exec(text)!;
  const cardinality = ({ '>': '1:N', '=': '1:1', '<>': 'N:M' } as const)[sign as '>'];
  const keys = { '>': ['key', `of_${from}`], '=': ['key', 'key'], '<>': ['group', 'group'] }[sign as '>'];
  const end = (tableId: string, key: string) => ({ tableId, fieldId: `${tableId}.${key}` });
  return { id: text, from: end(from!, keys[0]!), to: end(to!, keys[1]!), cardinality, joinType, isActive: true };
}

/** Rows with a unique key, keys of others (some of which lead nowhere), a group, and a small number. */
function rowsOf(random: () => number, table: string, relationships: readonly Relationship[], count: number) {
  const parents = relationships.filter(({ cardinality, to }) => cardinality === '1:N' && to.tableId === table);
  const pick = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, index) => ({
    [`${table}.key`]: index,
    [`${table}.group`]: random() < 0.15 ? null : pick(4),
    [`${table}.amount`]: random() < 0.1 ? null : pick(8),
    ...Object.fromEntries(parents.map(({ to }) => [to.fieldId, random() < 0.1 ? null : pick(8)])),
  }));
}

export function shapeOf(seed: number, names: string[], relationships: Relationship[]): Shape {
  const random = seededRandom(seed);
  const tables = Object.fromEntries(
    names.map((name) => [name, rowsOf(random, name, relationships, 4 + Math.floor(random() * 8))]),
  );
  return { relationships, tables };
}
