import type { ColumnUseContext } from '@polyglot-sql/sdk';
import type { Column } from '../duckdb/column-types.ts';
import { turnsColumns, withPlainPivot, withPlainStars, withPlainUnpivot } from './plain-columns.ts';
import { hasShadowedColumn } from './shadowed-columns.ts';

/** What a column does to another one, in the words of OpenLineage. */
export type DirectSubtype = 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION';
/** What a column does to which rows there are. */
export type IndirectSubtype = 'JOIN' | 'FILTER' | 'GROUP_BY' | 'SORT' | 'WINDOW' | 'CONDITIONAL';

export interface ColumnUse<S> {
  table: string;
  column: string;
  subtype: S;
}

export interface StatementLineage {
  /** In the order of the output; `inputs` is null where they cannot be told. */
  columns: { name: string; inputs: ColumnUse<DirectSubtype>[] | null }[];
  indirect: ColumnUse<IndirectSubtype>[];
}

export interface LineageTable {
  name: string;
  columns: readonly Column[];
}

const CONTEXTS: Readonly<Record<ColumnUseContext, IndirectSubtype>> = {
  join: 'JOIN',
  filter: 'FILTER',
  having: 'FILTER',
  qualify: 'FILTER',
  set_operation_filter: 'FILTER',
  group: 'GROUP_BY',
  order: 'SORT',
  aggregate_order: 'SORT',
  window_partition: 'WINDOW',
  window_order: 'WINDOW',
  window_frame: 'WINDOW',
};

/** Characters of a statement that is analysed. */
const LONGEST = 1_000_000;

let loaded: Promise<typeof import('./polyglot.ts')> | undefined;

/** While it loads its WebAssembly, the library puts a `fetch` that reads local files in the place of the real one. */
async function load(): Promise<typeof import('./polyglot.ts')> {
  const { fetch } = globalThis;
  try {
    return await import('./polyglot.ts');
  } finally {
    globalThis.fetch = fetch;
  }
}

/**
 * Which columns of the tables the columns of a statement come from. `outputs` are the names that DuckDB gives them: what the
 * analysis says of others is dropped, and so is what it says of relations that are none of the tables, such as a recursive
 * query's own rows. What it does not tell of stays unresolved and is never guessed, nor is
 * a name that it would take for another thing than DuckDB does.
 */
export async function statementLineage(
  sql: string,
  tables: readonly LineageTable[],
  outputs: readonly string[],
): Promise<StatementLineage> {
  const names = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => folded(name))));
  const plain = withPlainUnpivot(withPlainPivot(withPlainStars(sql)));
  if (hasShadowedColumn(sql, names) || turnsColumns(plain) || plain.length > LONGEST)
    return { columns: outputs.map((name) => ({ name, inputs: null })), indirect: [] };
  loaded ??= load();
  const { analyzeQuery } = await loaded;
  const known = new Map(
    tables.map(({ name, columns }) => [
      folded(name),
      { name, columns: new Map(columns.map((c) => [folded(c.name), c.name])) },
    ]),
  );
  const { analysis } = analyzeQuery(plain, {
    dialect: 'duckdb',
    schema: {
      tables: tables.map(({ name, columns }) => ({
        name,
        columns: columns.map((c) => ({ name: c.name, type: c.type })),
      })),
    },
  });
  if (!analysis) return { columns: outputs.map((name) => ({ name, inputs: null })), indirect: [] };

  const found = (reference: { table?: string | null; column: string }) => {
    const table = known.get(folded(reference.table ?? ''));
    const column = table?.columns.get(folded(reference.column));
    return table && column !== undefined ? [{ table: table.name, column }] : [];
  };
  const columns = outputs.map((name) => {
    const told = analysis.projections.filter(
      (projection) => !projection.isStar && folded(projection.name ?? '') === folded(name),
    );
    const [projection] = told;
    if (!projection || told.length > 1) return { name, inputs: null };
    const isPlain = analysis.relations.every(({ kind }) => kind === 'table');
    const subtype = subtypeOf(projection.transformKind, isPlain);
    const inputs = projection.upstream.flatMap((reference) => found(reference).map((use) => ({ ...use, subtype })));
    return { name, inputs: distinct(inputs) };
  });
  const indirect = (analysis.columnUses ?? []).flatMap(({ context, references }) => {
    const subtype = CONTEXTS[context];
    return subtype ? references.flatMap((reference) => found(reference).map((use) => ({ ...use, subtype }))) : [];
  });
  return { columns, indirect: distinct(indirect) };
}

/** Behind a subquery a column may be anything: only what stands in the statement itself is known to be unchanged. */
function subtypeOf(transformKind: string, isPlain: boolean): DirectSubtype {
  if (transformKind === 'aggregation') return 'AGGREGATION';
  return transformKind === 'direct' && isPlain ? 'IDENTITY' : 'TRANSFORMATION';
}

const folded = (name: string) => name.toLowerCase();

function distinct<T>(uses: T[]): T[] {
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}
