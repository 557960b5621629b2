import { folded } from '../duckdb/column-names.ts';
import type { TreeNode } from '../sql/parse-tree.ts';
import { type ColumnUse, type DirectSubtype, type IndirectSubtype, originOf } from './origins.ts';
import { analyseQuery } from './query.ts';
import { type OutputColumn, type Relation, TooLarge, UNKNOWN_COLUMNS, type UnknownName, Walk } from './walk.ts';

export type { ColumnUse, DirectSubtype, IndirectSubtype } from './origins.ts';

export interface StatementLineage {
  /** In the order of the output. `inputs` is null if they cannot be determined. */
  columns: { name: string; inputs: ColumnUse<DirectSubtype>[] | null }[];
  indirect: ColumnUse<IndirectSubtype>[];
  /** Whether every column that decides about rows is known. */
  isIndirectComplete: boolean;
}

export interface LineageTable {
  name: string;
  /** Undefined while they are unknown. */
  columns: readonly { name: string; type?: string | undefined }[] | undefined;
}

/**
 * Determines from which columns of the tables the columns of a statement are computed. `root` is its parse tree, and
 * `outputs` are the names that DuckDB gives its columns: an analysis that comes to others is not used. What cannot be
 * determined is never guessed.
 */
export function statementLineage(
  root: TreeNode,
  tables: readonly LineageTable[],
  outputs: readonly string[],
): StatementLineage {
  const { columns, walk } = analysed(root, tables);
  const aligned = alignedWith(outputs, columns);
  return {
    columns: outputs.map((name, index) => {
      const { origin } = aligned?.[index] ?? { origin: null };
      return { name, inputs: origin && [...origin.values()] };
    }),
    indirect: distinct(walk?.indirect ?? []),
    isIndirectComplete: walk !== undefined && !walk.isRowsPartial,
  };
}

/** What a statement says about columns, whose types are not needed. */
export interface StatementColumns {
  /** The output columns; undefined if some are unknown. */
  columns: { name: string }[] | undefined;
  /** Names that have no meaning, whatever the unknown columns are called. */
  unknown: UnknownName[];
}

export function statementColumns(root: TreeNode, tables: readonly LineageTable[]): StatementColumns {
  const { columns, walk } = analysed(root, tables);
  const names = new Set(columns.map(({ name = '' }) => folded(name)));
  // A name that occurs twice gets a number.
  const isKnown =
    names.size === columns.length &&
    columns.every(({ name, isMany, mayBeMany }) => name !== undefined && !isMany && !mayBeMany);
  return {
    columns: isKnown ? columns.map(({ name }) => ({ name: name! })) : undefined,
    unknown: distinct(walk?.unknown ?? []),
  };
}

function analysed(root: TreeNode, tables: readonly LineageTable[]) {
  const relations = new Map(
    tables.map(({ name, columns }): [string, Relation] => {
      const known = columns?.map((each) => ({ ...each, origin: originOf(name, each.name) }));
      return [folded(name), { alias: name, columns: known ?? UNKNOWN_COLUMNS }];
    }),
  );
  const walk = new Walk(relations, analyseQuery);
  try {
    return { columns: analyseQuery(walk, root, { queries: new Map(), parameters: new Set() }), walk };
  } catch (error) {
    if (error instanceof TooLarge) return { columns: UNKNOWN_COLUMNS, walk: undefined };
    throw error;
  }
}

/** One column for each output. DuckDB numbers names that occur twice. Undefined if the columns are not those. */
function alignedWith(outputs: readonly string[], columns: readonly OutputColumn[]): OutputColumn[] | undefined {
  const isSeveral = ({ isMany, mayBeMany }: OutputColumn) => isMany || (mayBeMany && columns.length !== outputs.length);
  const [several, ...others] = columns.filter(isSeveral);
  if (others.length > 0) return undefined;
  const count = outputs.length - columns.length + 1;
  if (several ? count < 0 : count !== 1) return undefined;
  const aligned = columns.flatMap((column) =>
    column === several ? Array<OutputColumn>(count).fill({ origin: column.origin }) : [column],
  );
  return aligned.map((column, index) => {
    const name = folded(outputs[index]!);
    const known = column.name === undefined ? name : folded(column.name);
    return known === name || (name.startsWith(`${known}_`) && /^\d+$/.test(name.slice(known.length + 1)))
      ? column
      : { origin: null };
  });
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
