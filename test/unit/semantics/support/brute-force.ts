import type { Hop } from '../../../../shared/data/semantics/join-graph.ts';
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

/** A row of the joined tables; null where an outer join found no partner. */
type Joined = ReadonlyMap<string, Row | null>;

const tableOf = (field: string) => field.split('.')[0]!;

const fieldOf = (joined: Joined, field: string): Value => joined.get(tableOf(field))?.[field] ?? null;

/**
 * Answers a question the slow way: it joins whole rows, keeps each row of the measure's own table once for each group, and
 * aggregates what is left. `hopsFrom` gives the joins of a table to others in their order.
 */
export function answer(
  tables: Tables,
  asked: Asked,
  hopsFrom: (home: string, others: string[]) => readonly Hop[],
): Value[][] {
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
    const hops = hopsFrom(home, [tableOf(field), ...context]);
    const rows = join(tables, home, hops).filter((joined) =>
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

function join(tables: Tables, home: string, hops: readonly Hop[]): Joined[] {
  return hops.reduce(
    (joined, hop) => joinOne(joined, tables, hop),
    tables[home]!.map((row): Joined => new Map([[home, row]])),
  );
}

function joinOne(joined: readonly Joined[], tables: Tables, { from, to, joinType }: Hop): Joined[] {
  const partners = tables[to.tableId]!;
  const keepsLeft = joinType === 'left' || joinType === 'full';
  const found = new Set<Row>();
  const pairs = joined.flatMap((left): Joined[] => {
    const key = fieldOf(left, from.fieldId);
    const matches = partners.filter((row) => key !== null && row[to.fieldId] === key);
    for (const match of matches) found.add(match);
    const alone = matches.length === 0 && keepsLeft ? [null] : [];
    return [...matches, ...alone].map((row) => new Map([...left, [to.tableId, row]]));
  });
  const keepsRight = joinType === 'right' || joinType === 'full';
  const alone = keepsRight ? partners.filter((row) => !found.has(row)) : [];
  return [...pairs, ...alone.map((row): Joined => new Map([[to.tableId, row]]))];
}
