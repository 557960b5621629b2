import type { Issue } from '../../platform/errors/app-error.ts';
import { hasShape, shapeIssues } from '../../platform/validation/shape-issues.ts';
import * as columnOps from './column-ops.ts';
import { OPS, type Op, type OpName, type OpOf } from './ops.ts';
import * as rowOps from './row-ops.ts';
import { type Check, checkedRows, OpContext, type RecipeColumn, type Table, type Tables } from './table.ts';
import * as tableOps from './table-ops.ts';
import type { Relation } from './tree.ts';

type Work = { [N in OpName]: (context: OpContext, table: Table, op: OpOf<N>) => Table };

const COMPILERS: Work = {
  select: columnOps.select,
  drop: columnOps.drop,
  rename: columnOps.rename,
  reorder: columnOps.reorder,
  derive: columnOps.derive,
  cast: columnOps.cast,
  fill: columnOps.fill,
  replace: columnOps.replace,
  split: columnOps.split,
  concat: columnOps.concat,
  extract: columnOps.extract,
  text: columnOps.text,
  parse_json: columnOps.parseJson,
  flatten: columnOps.flatten,
  surrogate_key: columnOps.surrogateKey,
  window: columnOps.window,
  filter: rowOps.filter,
  assert: rowOps.assert,
  sort: rowOps.sort,
  limit: rowOps.limit,
  sample: rowOps.sample,
  dedupe: rowOps.dedupe,
  aggregate: rowOps.aggregate,
  pivot: rowOps.pivot,
  unpivot: rowOps.unpivot,
  join: tableOps.join,
  lookup: tableOps.lookup,
  union: tableOps.union,
  intersect: tableOps.combine('intersect'),
  except: tableOps.combine('except'),
};

/** Issues of the operations' shapes. `at` is the JSON pointer of the list. */
export function opIssues(ops: readonly unknown[], at: string): Issue[] {
  return ops.flatMap((op, index) => {
    const place = `${at}/${index}`;
    const name = (op as { op?: unknown } | null)?.op;
    if (name === 'flowlet') {
      return [{ pointer: `${place}/op`, code: 'SETTING_NOT_AVAILABLE', message: 'flowlets cannot be used here' }];
    }
    if (typeof name === 'string' && Object.hasOwn(OPS, name)) return shapeIssues(OPS[name as OpName], op, place);
    const message = `must be one of ${Object.keys(OPS).join(', ')}`;
    return [{ pointer: `${place}/op`, code: name === undefined ? 'REQUIRED' : 'ENUM', message }];
  });
}

export function areOps(ops: readonly unknown[]): ops is Op[] {
  return ops.every((op) => {
    const name = (op as { op?: unknown } | null)?.op;
    return typeof name === 'string' && Object.hasOwn(OPS, name) && hasShape(OPS[name as OpName], op);
  });
}

/** Columns of the inputs by alias; undefined if they are not known yet. */
export type InputColumns = Readonly<Record<string, readonly RecipeColumn[] | undefined>>;

/**
 * Compiles a recipe: the rows after each operation, starting with those of `main`, the final rows with all assertions,
 * and every issue that the known columns reveal. Rows can be emitted for an engine only if the columns of all inputs
 * are known. With `suggests`, issues of unknown columns name the nearest one.
 */
export function compileRecipe(
  ops: readonly Op[],
  inputs: InputColumns,
  { main, at, suggests }: { main: string; at: string; suggests?: boolean },
): { tables: Table[]; rows: Relation; issues: Issue[] } {
  const issues: Issue[] = [];
  const checks: Check[] = [];
  const tables: Tables = Object.fromEntries(
    Object.entries(inputs).map(([name, columns]) => [
      name,
      { relation: { kind: 'table', name }, columns: columns && [...columns] },
    ]),
  );
  const made: Table[] = [tables[main]!];
  for (const [index, op] of ops.entries()) {
    const compileOp = COMPILERS[op.op] as (context: OpContext, table: Table, op: Op) => Table;
    made.push(
      compileOp(new OpContext(tables, { place: `${at}/${index}`, issues, checks, suggests }), made.at(-1)!, op),
    );
  }
  return { tables: made, rows: checkedRows(made.at(-1)!, checks), issues };
}

/** The author's SQL texts of an operation, with the member of each. */
export function authorTexts(op: Op): { member: string; text: string }[] {
  if (op.op === 'filter' || op.op === 'assert') return [{ member: 'condition', text: op.condition }];
  return op.op === 'derive' ? [{ member: 'expression', text: op.expression }] : [];
}
