import type { WrittenBounds } from './engine-contract.ts';
import { quoteIdentifier } from './quoting.ts';

type Entries<T> = readonly { key: string; value: T }[];

/** The bounds of columns, from what COPY returns about the values of a Parquet file (`RETURN_STATS`). */
export function writtenBounds(names: readonly string[], statistics: unknown): Map<string, WrittenBounds> {
  const known = new Map(((statistics ?? []) as Entries<Entries<string>>).map(({ key, value }) => [key, value]));
  return new Map(
    names.flatMap((name): [string, WrittenBounds][] => {
      const found = new Map(known.get(quoteIdentifier(name))?.map(({ key, value }) => [key, value]));
      const [min, max, nulls] = [found.get('min'), found.get('max'), found.get('null_count')];
      if (nulls === undefined) return [];
      const bounds = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
      return [[name, { ...bounds, nulls: Number(nulls) }]];
    }),
  );
}
