import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';

export interface RepeatedKeys {
  /** Rows without a value in the key. If there are any, nothing else is counted. */
  nulls: number;
  /** Rows whose key another row before them has. */
  repeated: number;
  /** The rows, for FROM. */
  from: string;
  /** A table and join condition that match every row with a repeated key, and few other rows. */
  isRepeated: string;
}

/** The bitmap aims at this many bits per row, so few keys share a bit. */
const BITS_PER_ROW = 64;
const MIN_BITS = 2 ** 10;
/** 128 megabytes. */
const MAX_BITS = 2 ** 30;
/** With more rows, too many keys would share a bit. */
const MAX_MARKED_ROWS = 2 ** 24;
/** Above this many shared bits, stop collecting them and group all rows: most keys are probably repeated. */
const MAX_TWICE = 2 ** 20;
const NO_KEY = 2 ** 32 - 1;

/**
 * Finds keys of several rows. Grouping all rows by their keys takes longer than writing them, so each row first marks a
 * bit that derives from its key, and only keys whose bit is marked twice are grouped.
 */
export async function repeatedKeys(
  engine: Engine,
  input: string,
  rows: number,
  key: readonly string[],
  limits: { rows: number; twice: number } = { rows: MAX_MARKED_ROWS, twice: MAX_TWICE },
): Promise<RepeatedKeys> {
  const names = key.map((name) => `loaded.${quoteIdentifier(name)}`);
  const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, 2 ** Math.ceil(Math.log2(rows * BITS_PER_ROW))));
  const bit = `CAST(hash(${names.join(', ')}) & ${bits - 1} AS UINTEGER)`;
  const isNull = names.map((name) => `${name} IS NULL`).join(' OR ');
  const from = `${input} AS loaded`;
  const isRepeated = `repeated_keys ON ${bit} = repeated_keys."bit of the key"`;
  const { nulls, twice } =
    rows <= limits.rows
      ? await markedTwice(
          engine.smallIntegers(`SELECT CASE WHEN ${isNull} THEN ${NO_KEY} ELSE ${bit} END FROM ${from}`),
          bits,
          limits.twice,
        )
      : { nulls: await count(engine, `SELECT count(*) FROM ${from} WHERE ${isNull}`) };
  if (nulls > 0 || twice?.size === 0) return { nulls, repeated: 0, from, isRepeated };
  await engine.run(
    `CREATE OR REPLACE TEMP TABLE repeated_keys AS
     SELECT ${bit} AS "bit of the key", count(*) AS "rows of the key" FROM ${from}
     ${twice ? `WHERE ${bit} IN (SELECT unnest(string_split($1, ','))::UINTEGER)` : ''}
     GROUP BY ${bit}, ${names.join(', ')} HAVING count(*) > 1`,
    twice ? [[...twice].join(',')] : [],
  );
  const repeated = await count(engine, 'SELECT coalesce(sum("rows of the key" - 1), 0)::BIGINT FROM repeated_keys');
  return { nulls, repeated, from, isRepeated };
}

async function count(engine: Engine, sql: string): Promise<number> {
  const [[found] = []] = await engine.run(sql);
  return Number(found);
}

/** Omits `twice` if more than `maxTwice` bits are marked twice. */
async function markedTwice(
  marks: AsyncIterable<Uint32Array>,
  bits: number,
  maxTwice: number,
): Promise<{ nulls: number; twice?: Set<number> }> {
  const marked = new Uint32Array(bits / 32);
  const twice = new Set<number>();
  let nulls = 0;
  for await (const batch of marks) {
    for (let i = 0; i < batch.length; i += 1) {
      const mark = batch[i]!;
      const word = mark >>> 5;
      const bit = 1 << (mark & 31);
      if (mark === NO_KEY) nulls += 1;
      else if ((marked[word]! & bit) === 0) marked[word]! |= bit;
      else if (twice.size <= maxTwice) twice.add(mark);
    }
  }
  return twice.size > maxTwice ? { nulls } : { nulls, twice };
}
