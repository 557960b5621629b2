import { folded } from '../../../data/duckdb/column-names.ts';
import { areOps, compileRecipe, opIssues } from '../../../data/recipe/compile.ts';
import { MAX_OPS, type Op } from '../../../data/recipe/ops.ts';
import type { RecipeColumn } from '../../../data/recipe/table.ts';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { didYouMean } from '../../../platform/text/nearest.ts';
import { escapePointer } from '../../../platform/validation/json-pointer.ts';
import { type TypedArguments, typedArguments, withArguments } from './arguments.ts';
import type { Flowlet, FlowletContent } from './record.ts';

/** A flowlet, a flowlet inside it, and a flowlet inside that. */
const MAX_LEVELS = 3;

/**
 * The operation that uses another flowlet: `columnMap` maps the columns of its input to columns of the current rows.
 */
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
 * The plain operations of a flowlet and of the flowlets inside it, with arguments in place of parameters, and their
 * output columns. A version can only use older versions, so there are no cycles.
 */
export async function expandFlowlet(
  find: FindFlowlet,
  flowlet: FlowletContent,
  args: TypedArguments,
): Promise<Expanded> {
  const { ops, issues } = await plainOps(find, flowlet.ops, args, '/ops', 1, { left: MAX_OPS });
  if (issues.length > 0 || !areOps(ops)) return { ops: [], outputColumns: [], issues };
  const [main] = flowlet.inputs;
  const inputs = Object.fromEntries(flowlet.inputs.map(({ name, columns }) => [name, columns]));
  const { tables, issues: columnIssues } = compileRecipe(ops, inputs, { main: main!.name, at: '/ops' });
  return { ops, outputColumns: tables.at(-1)!.columns ?? [], issues: columnIssues };
}

/**
 * The plain operations of one use of a flowlet in a recipe, and the version that it uses. Pointers of issues start with
 * `place`.
 */
export async function expandUse(
  find: FindFlowlet,
  op: Record<string, unknown>,
  place: string,
): Promise<{ ops: Op[]; version: number | undefined; issues: Issue[] }> {
  const { ops, version, issues } = await opsOfUse(find, op, place, 0, { left: MAX_OPS });
  return issues.length === 0 && areOps(ops) ? { ops, version, issues } : { ops: [], version, issues };
}

/** How many operations may still be added; without a limit nested flowlets could multiply without bound. */
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
    const inner = op.op === 'flowlet' ? await opsOfUse(find, op, place, level, budget) : undefined;
    if (!inner) budget.left -= 1;
    if (budget.left < 0) {
      const message = `The flowlet expands to more than ${MAX_OPS} operations.`;
      return { ops: [], issues: [{ pointer: place, code: 'TOO_MANY_OPS', message }] };
    }
    issues.push(...(inner?.issues ?? opIssues([op], at).map((issue) => moved(issue, `${at}/0`, place))));
    ops.push(...(inner?.ops ?? [op]));
  }
  return { ops, issues };
}

async function opsOfUse(find: FindFlowlet, op: Record<string, unknown>, place: string, level: number, budget: Budget) {
  const issue = (member: string, code: string, message: string) => ({
    ops: [],
    version: undefined,
    issues: [{ pointer: `${place}${member}`, code, message }],
  });
  if (!isFlowletOp(op)) return issue('', 'SHAPE', 'must have flowletId and may have params and columnMap');
  if (level === MAX_LEVELS) {
    return issue('/op', 'TOO_DEEP', `Flowlets can be nested at most ${MAX_LEVELS} levels deep.`);
  }
  const flowlet = await find(op.flowletId);
  if (!flowlet)
    return issue('/flowletId', 'FLOWLET_UNKNOWN', `No flowlet of the workspace has the id ${op.flowletId}.`);
  const { args, issues } = typedArguments(flowlet.params, op.params ?? {}, `${place}/params`);
  issues.push(...mapIssues(flowlet, op.columnMap ?? {}, `${place}/columnMap`));
  const { version } = flowlet;
  if (issues.length > 0) return { ops: [], version, issues };
  const inner = await plainOps(find, flowlet.ops, args, '/ops', level + 1, budget);
  // The author of the recipe cannot change the flowlet, so its issues are reported at its use.
  const innerIssues = inner.issues.map(({ code, message }) => ({ pointer: place, code, message }));
  const renamed = Object.entries(op.columnMap ?? {}).filter(([own, actual]) => own !== actual);
  const map = Object.fromEntries(renamed.map(([own, actual]) => [actual, own]));
  const before = renamed.length > 0 ? [{ op: 'rename', map }] : [];
  return { ops: [...before, ...inner.ops], version, issues: innerIssues };
}

/** Reports columns that the flowlet does not declare, and columns that are mapped twice. */
function mapIssues({ inputs }: FlowletContent, columnMap: Readonly<Record<string, string>>, at: string): Issue[] {
  const own = new Set(inputs[0]!.columns.map(({ name }) => folded(name)));
  const takenFor = new Map<string, string>();
  return Object.entries(columnMap).flatMap(([name, actual]): Issue[] => {
    const pointer = `${at}/${escapePointer(name)}`;
    if (!own.has(folded(name))) {
      const names = inputs[0]!.columns.map((column) => column.name);
      return [{ pointer, code: 'COLUMN_UNKNOWN', message: `Unknown column "${name}"${didYouMean(name, names)}` }];
    }
    const other = takenFor.get(folded(actual));
    takenFor.set(folded(actual), name);
    if (other === undefined) return [];
    return [{ pointer, code: 'DUPLICATE', message: `The column "${actual}" is already mapped to "${other}".` }];
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
