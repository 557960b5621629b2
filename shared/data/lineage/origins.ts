/** How a column affects another one, in terms of OpenLineage. */
export type DirectSubtype = 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION';
/** How a column affects which rows there are. */
export type IndirectSubtype = 'JOIN' | 'FILTER' | 'GROUP_BY' | 'SORT' | 'WINDOW' | 'CONDITIONAL';

export interface ColumnUse<S> {
  table: string;
  column: string;
  subtype: S;
}

/** The columns of tables that a value is computed from, by table and column; null if they cannot be determined. */
export type Origin = ReadonlyMap<string, ColumnUse<DirectSubtype>> | null;

export const NO_COLUMN: Origin = new Map();

export const originOf = (table: string, column: string): Origin =>
  new Map([[JSON.stringify([table, column]), { table, column, subtype: 'IDENTITY' }]]);

const STRENGTH: Readonly<Record<DirectSubtype, number>> = { IDENTITY: 0, TRANSFORMATION: 1, AGGREGATION: 2 };

/** The origin of a value that is one of several, or computed from all of them. */
export function union(origins: readonly Origin[]): Origin {
  const [first = NO_COLUMN] = origins;
  if (origins.length < 2) return first;
  const all = new Map<string, ColumnUse<DirectSubtype>>();
  for (const origin of origins) {
    if (!origin) return null;
    for (const [key, use] of origin) {
      const known = all.get(key);
      if (!known || STRENGTH[known.subtype] < STRENGTH[use.subtype]) all.set(key, use);
    }
  }
  return all;
}

/** The origin of a value that changes what it is computed from. */
export function changed(origin: Origin, subtype: 'TRANSFORMATION' | 'AGGREGATION'): Origin {
  if (!origin || origin.size === 0) return origin;
  return new Map(
    [...origin].map(([key, use]) => [key, STRENGTH[use.subtype] < STRENGTH[subtype] ? { ...use, subtype } : use]),
  );
}
