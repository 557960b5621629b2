import type { FieldOfTable, Relationship } from '../../../../../shared/data/semantics/model.ts';
import type { KnownAggregate } from './aggregates.ts';

export type Value = number | string | null;
/** Values by field id. */
export type Row = Readonly<Record<string, Value>>;
export type Tables = Readonly<Record<string, readonly Row[]>>;

export interface AskedMeasure {
  home: string;
  field: string;
  known: KnownAggregate;
}

export interface Asked {
  dimensions: readonly string[];
  measures: readonly AskedMeasure[];
  filters: readonly { field: string; atLeast: number }[];
  totals: 'none' | 'grand' | 'all';
}

/** A relationship on the way from the home table, and whether the way leads from its `from` table to its `to` table. */
export interface Way {
  relationship: Relationship;
  isForwards: boolean;
}

/** The relationships that join a table to others, in an order in which the nearer table is there already. */
export type WaysFrom = (home: string, others: string[]) => readonly Way[];

/** A row of the joined tables; null where it has no partner. */
export type Joined = ReadonlyMap<string, Row | null>;

export const tableOf = (field: string) => field.split('.')[0]!;

export const fieldOf = (joined: Joined, field: string): Value => joined.get(tableOf(field))?.[field] ?? null;

/**
 * Answers a question the slow way: it joins whole rows, keeps each row of the measure's own table once for each group,
 * and aggregates what is left.
 */
export function answer(tables: Tables, asked: Asked, waysFrom: WaysFrom): Value[][] {
  const context = [...asked.dimensions, ...asked.filters.map(({ field }) => field)].map(tableOf);
  const levels = levelsOf(asked);
  const groups = new Map<string, Value[]>();
  const empty = asked.measures.map(({ known }) => known.value([]));
  const groupAt = (level: number, keys: Value[]) => {
    const name = JSON.stringify([level, keys]);
    const group = groups.get(name) ?? [level, ...keys, ...empty];
    groups.set(name, group);
    return group;
  };
  asked.measures.forEach(({ home, field, known }, index) => {
    const ways = waysFrom(home, [tableOf(field), ...context]);
    const rows = join(tables, home, ways).filter((joined) =>
      asked.filters.every(({ field: filtered, atLeast }) => Number(fieldOf(joined, filtered) ?? Number.NaN) >= atLeast),
    );
    for (const level of levels) {
      const members = new Map<Value[], Map<Row, number>>();
      if (level === 0)
        members.set(
          groupAt(
            0,
            asked.dimensions.map(() => null),
          ),
          new Map(),
        );
      for (const joined of rows) {
        const keys = asked.dimensions.map((dimension, at) => (at < level ? fieldOf(joined, dimension) : null));
        const group = groupAt(level, keys);
        const inputs = members.get(group) ?? new Map<Row, number>();
        members.set(group, inputs);
        const own = joined.get(home);
        const input = fieldOf(joined, field);
        if (own && input !== null) inputs.set(own, Number(input));
      }
      for (const [group, inputs] of members)
        group[1 + asked.dimensions.length + index] = known.value([...inputs.values()]);
    }
  });
  return [...groups.values()];
}

function levelsOf({ dimensions, totals }: Asked): number[] {
  const all = dimensions.length;
  if (totals === 'none') return [all];
  return totals === 'grand' ? [...new Set([all, 0])] : Array.from({ length: all + 1 }, (_, level) => level);
}

/**
 * The rule of `docs/modeling.md` in words of its own: every row of the home table, with its partners; then the rows of
 * other tables that the author wants to see without a partner, with theirs; without the rows that lack a partner which
 * they must have.
 */
export function join(tables: Tables, home: string, ways: readonly Way[]): Joined[] {
  const all = ways.reduce(
    (joined, way) => [...joined.flatMap((left) => withPartners(left, tables, way)), ...added(joined, tables, way)],
    tables[home]!.map((row): Joined => new Map([[home, row]])),
  );
  return all.filter((joined) =>
    ways.every((way) => {
      const [near, far] = endsOf(way);
      const isMet = joined.get(far.tableId) || way.relationship.joinType !== 'inner';
      const isElsewhere = !joined.get(home) && !joined.get(near.tableId);
      return isMet || isElsewhere;
    }),
  );
}

const endsOf = ({ relationship: { from, to }, isForwards }: Way): [near: FieldOfTable, far: FieldOfTable] =>
  isForwards ? [from, to] : [to, from];

function withPartners(left: Joined, tables: Tables, way: Way): Joined[] {
  const [near, far] = endsOf(way);
  const key = fieldOf(left, near.fieldId);
  const partners = tables[far.tableId]!.filter((row) => key !== null && row[far.fieldId] === key);
  return (partners.length > 0 ? partners : [null]).map((row) => new Map([...left, [far.tableId, row]]));
}

function added(joined: readonly Joined[], tables: Tables, way: Way): Joined[] {
  const { joinType } = way.relationship;
  if (joinType !== 'full' && !(joinType === 'right' && way.isForwards)) return [];
  const [near, far] = endsOf(way);
  const keys = new Set(joined.map((left) => fieldOf(left, near.fieldId)).filter((key) => key !== null));
  return tables[far.tableId]!.filter((row) => !keys.has(row[far.fieldId]!)).map(
    (row): Joined => new Map([[far.tableId, row]]),
  );
}
