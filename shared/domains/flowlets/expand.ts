import { folded } from '../../data/duckdb/column-names.ts';
import { areOps, compileRecipe, opIssues } from '../../data/recipe/compile.ts';
import { MAX_OPS, type Op } from '../../data/recipe/ops.ts';
import type { RecipeColumn } from '../../data/recipe/table.ts';
import type { Issue } from '../../platform/errors/app-error.ts';
import { escapePointer } from '../../platform/validation/json-pointer.ts';
import { type TypedArguments, typedArguments, withArguments } from './arguments.ts';
import type { Flowlet, FlowletContent } from './record.ts';

/** A flowlet, one that it uses, and one that this uses. */
const MAX_LEVELS = 3;

/** The operation by which a flowlet uses another: `columnMap` says which column is taken for which of its own. */
export interface FlowletOp {
  op: 'flowlet';
  flowletId: string;
  params?: Record<string, unknown>;
  columnMap?: Record<string, string>;
}

export type FindFlowlet = (id: string) => Promise<Flowlet | undefined>;

export interface Expanded {
  ops: Op[];
  outputColumns: RecipeColumn[];
  issues: Issue[];
}

/**
 * The plain operations of a flowlet with arguments in the place of its parameters, those of the flowlets that it uses
 * included, and the columns that come of them. A version can only use versions that were there before it, so there are no
 * circles.
 */
export async function expandFlowlet(
  find: FindFlowlet,
  flowlet: FlowletContent,
  args: TypedArguments,
): Promise<Expanded> {
  const { ops, issues } = await plainOps(find, flowlet.ops, args, '/ops', 1, { left: MAX_OPS });
  const sound = issues.length === 0 && areOps(ops);
  if (!sound) return { ops: [], outputColumns: [], issues };
  const [main] = flowlet.inputs;
  const inputs = Object.fromEntries(flowlet.inputs.map(({ name, columns }) => [name, columns]));
  const { tables, issues: columnIssues } = compileRecipe(ops, inputs, { main: main!.name, at: '/ops' });
  return { ops, outputColumns: tables.at(-1)!.columns ?? [], issues: columnIssues };
}

/**
 * The plain operations that one use of a flowlet in a recipe stands for, and the version that it names. Issues have their
 * place under `place`.
 */
export async function expandUse(
  find: FindFlowlet,
  op: Record<string, unknown>,
  place: string,
): Promise<{ ops: Op[]; version: number | undefined; issues: Issue[] }> {
  const { ops, version, issues } = await used(find, op, place, 0, { left: MAX_OPS });
  return issues.length === 0 && areOps(ops) ? { ops, version, issues } : { ops: [], version, issues };
}

/** How many operations may still be made: flowlets of flowlets could be without end. */
interface Budget {
  left: number;
}

async function plainOps(
  find: FindFlowlet,
  given: readonly Record<string, unknown>[],
  args: TypedArguments,
  at: string,
  level: number,
  budget: Budget,
): Promise<{ ops: Record<string, unknown>[]; issues: Issue[] }> {
  const ops: Record<string, unknown>[] = [];
  const issues: Issue[] = [];
  for (const [index, raw] of given.entries()) {
    const place = `${at}/${index}`;
    const { op, issues: argumentIssues } = withArguments(raw, args, place);
    issues.push(...argumentIssues);
    if (argumentIssues.length > 0) continue;
    const inner = op.op === 'flowlet' ? await used(find, op, place, level, budget) : undefined;
    if (!inner) budget.left -= 1;
    if (budget.left < 0) {
      const message = `comes to more than ${MAX_OPS} operations`;
      return { ops: [], issues: [{ pointer: place, code: 'TOO_MANY_OPS', message }] };
    }
    issues.push(...(inner?.issues ?? opIssues([op], at).map((issue) => moved(issue, `${at}/0`, place))));
    ops.push(...(inner?.ops ?? [op]));
  }
  return { ops, issues };
}

async function used(find: FindFlowlet, op: Record<string, unknown>, place: string, level: number, budget: Budget) {
  const issue = (member: string, code: string, message: string) => ({
    ops: [],
    version: undefined,
    issues: [{ pointer: `${place}${member}`, code, message }],
  });
  if (!isFlowletOp(op)) return issue('', 'SHAPE', 'must have flowletId and may have params and columnMap');
  if (level === MAX_LEVELS) return issue('/op', 'TOO_DEEP', `flowlets may be ${MAX_LEVELS} levels deep`);
  const flowlet = await find(op.flowletId);
  if (!flowlet) return issue('/flowletId', 'FLOWLET_UNKNOWN', 'there is no such flowlet');
  const { args, issues } = typedArguments(flowlet.params, op.params ?? {}, `${place}/params`);
  issues.push(...mapIssues(flowlet, op.columnMap ?? {}, `${place}/columnMap`));
  const { version } = flowlet;
  if (issues.length > 0) return { ops: [], version, issues };
  const inner = await plainOps(find, flowlet.ops, args, '/ops', level + 1, budget);
  // Its author cannot mend what is wrong inside: the issue is that of the use.
  const innerIssues = inner.issues.map(({ code, message }) => ({ pointer: place, code, message }));
  const renamed = Object.entries(op.columnMap ?? {}).filter(([own, actual]) => own !== actual);
  const map = Object.fromEntries(renamed.map(([own, actual]) => [actual, own]));
  const before = renamed.length > 0 ? [{ op: 'rename', map }] : [];
  return { ops: [...before, ...inner.ops], version, issues: innerIssues };
}

/** Columns that the flowlet has not, and those that are taken for several of its own. */
function mapIssues({ inputs }: FlowletContent, columnMap: Readonly<Record<string, string>>, at: string): Issue[] {
  const own = new Set(inputs[0]!.columns.map(({ name }) => folded(name)));
  const takenFor = new Map<string, string>();
  return Object.entries(columnMap).flatMap(([name, actual]): Issue[] => {
    const pointer = `${at}/${escapePointer(name)}`;
    if (!own.has(folded(name))) {
      return [{ pointer, code: 'COLUMN_UNKNOWN', message: `the flowlet has no column ${name}` }];
    }
    const other = takenFor.get(folded(actual));
    takenFor.set(folded(actual), name);
    if (other === undefined) return [];
    return [{ pointer, code: 'DUPLICATE', message: `the column ${actual} is taken for ${other} already` }];
  });
}

function isFlowletOp(op: Record<string, unknown>): op is Record<string, unknown> & FlowletOp {
  const { op: _name, flowletId, params = {}, columnMap = {}, ...others } = op;
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    typeof flowletId === 'string' &&
    /^.{1,64}$/.test(flowletId) &&
    isObject(params) &&
    isObject(columnMap) &&
    Object.values(columnMap as object).every((name) => typeof name === 'string' && name.length > 0) &&
    Object.keys(others).length === 0
  );
}

const moved = (issue: Issue, from: string, to: string): Issue => ({
  ...issue,
  pointer: `${to}${issue.pointer.slice(from.length)}`,
});
