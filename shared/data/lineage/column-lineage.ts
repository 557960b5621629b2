import type { ColumnUseContext } from '@polyglot-sql/sdk';
import type { Column } from '../duckdb/column-types.ts';
import { turnsColumns, withPlainPivot, withPlainStars, withPlainUnpivot } from './plain-columns.ts';
import { hasShadowedColumn } from './shadowed-columns.ts';

/** How a column affects another one, in terms of OpenLineage. */
export type DirectSubtype = 'IDENTITY' | 'TRANSFORMATION' | 'AGGREGATION';
/** How a column affects which rows there are. */
export type IndirectSubtype = 'JOIN' | 'FILTER' | 'GROUP_BY' | 'SORT' | 'WINDOW' | 'CONDITIONAL';

export interface ColumnUse<S> {
  table: string;
  column: string;
  subtype: S;
}

export interface StatementLineage {
  /** In the order of the output. `inputs` is null if they cannot be determined. */
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

/** Longer statements are not analysed (in characters). */
const MAX_LENGTH = 1_000_000;

let loaded: Promise<typeof import('./polyglot.ts')> | undefined;

/** While the library loads its WebAssembly, it replaces `fetch` with one that reads local files. */
async function load(): Promise<typeof import('./polyglot.ts')> {
  const { fetch } = globalThis;
  try {
    return await import('./polyglot.ts');
  } finally {
    globalThis.fetch = fetch;
  }
}

/**
 * Determines from which columns of the tables the columns of a statement are computed. `outputs` are the names that
 * DuckDB gives them; results for other names are ignored, as are results for relations other than the tables, such as a
 * recursive query's own rows. Columns that the analysis does not cover, or may interpret differently than DuckDB, stay
 * unresolved and are never guessed.
 */
export async function statementLineage(
  sql: string,
  tables: readonly LineageTable[],
  outputs: readonly string[],
): Promise<StatementLineage> {
  const names = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => folded(name))));
  const plain = withPlainUnpivot(withPlainPivot(withPlainStars(sql)));
  if (hasShadowedColumn(sql, names) || turnsColumns(plain) || plain.length > MAX_LENGTH)
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
    const matching = analysis.projections.filter(
      (projection) => !projection.isStar && folded(projection.name ?? '') === folded(name),
    );
    const [projection] = matching;
    if (!projection || matching.length > 1) return { name, inputs: null };
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

/** A subquery may change a column in any way, so only columns of the statement itself are known to be unchanged. */
function subtypeOf(transformKind: string, isPlain: boolean): DirectSubtype {
  if (transformKind === 'aggregation') return 'AGGREGATION';
  return transformKind === 'direct' && isPlain ? 'IDENTITY' : 'TRANSFORMATION';
}

const folded = (name: string) => name.toLowerCase();

function distinct<T>(uses: T[]): T[] {
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}
