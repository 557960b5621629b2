import { folded } from '../../data/duckdb/column-names.ts';
import { areOps, compileRecipe, opFaults } from '../../data/recipe/compile.ts';
import { MOST_OPS, type Op } from '../../data/recipe/ops.ts';
import type { RecipeColumn } from '../../data/recipe/table.ts';
import type { Fault } from '../../platform/errors/app-error.ts';
import { escapePointer } from '../../platform/validation/shape-issues.ts';
import { type TypedArguments, typedArguments, withArguments } from './arguments.ts';
import type { Flowlet, FlowletContent } from './record.ts';

/** A flowlet, one that it uses, and one that this uses. */
const MOST_LEVELS = 3;

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
  faults: Fault[];
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
  const { ops, faults } = await plainOps(find, flowlet.ops, args, '/ops', 1, { left: MOST_OPS });
  const sound = faults.length === 0 && areOps(ops);
  if (!sound) return { ops: [], outputColumns: [], faults };
  const [main] = flowlet.inputs;
  const inputs = Object.fromEntries(flowlet.inputs.map(({ name, columns }) => [name, columns]));
  const { tables, faults: columnFaults } = compileRecipe(ops, inputs, { main: main!.name, at: '/ops' });
  return { ops, outputColumns: tables.at(-1)!.columns ?? [], faults: columnFaults };
}

/**
 * The plain operations that one use of a flowlet in a recipe stands for, and the version that it names. Faults have their
 * place under `place`.
 */
export async function expandUse(
  find: FindFlowlet,
  op: Record<string, unknown>,
  place: string,
): Promise<{ ops: Op[]; version: number | undefined; faults: Fault[] }> {
  const { ops, version, faults } = await used(find, op, place, 0, { left: MOST_OPS });
  return faults.length === 0 && areOps(ops) ? { ops, version, faults } : { ops: [], version, faults };
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
): Promise<{ ops: Record<string, unknown>[]; faults: Fault[] }> {
  const ops: Record<string, unknown>[] = [];
  const faults: Fault[] = [];
  for (const [index, raw] of given.entries()) {
    const place = `${at}/${index}`;
    const { op, faults: argumentFaults } = withArguments(raw, args, place);
    faults.push(...argumentFaults);
    if (argumentFaults.length > 0) continue;
    const inner = op.op === 'flowlet' ? await used(find, op, place, level, budget) : undefined;
    if (!inner) budget.left -= 1;
    if (budget.left < 0) {
      const message = `comes to more than ${MOST_OPS} operations`;
      return { ops: [], faults: [{ pointer: place, code: 'TOO_MANY_OPS', message }] };
    }
    faults.push(...(inner?.faults ?? opFaults([op], at).map((fault) => moved(fault, `${at}/0`, place))));
    ops.push(...(inner?.ops ?? [op]));
  }
  return { ops, faults };
}

async function used(find: FindFlowlet, op: Record<string, unknown>, place: string, level: number, budget: Budget) {
  const fault = (member: string, code: string, message: string) => ({
    ops: [],
    version: undefined,
    faults: [{ pointer: `${place}${member}`, code, message }],
  });
  if (!isFlowletOp(op)) return fault('', 'SHAPE', 'must have flowletId and may have params and columnMap');
  if (level === MOST_LEVELS) return fault('/op', 'TOO_DEEP', `flowlets may be ${MOST_LEVELS} levels deep`);
  const flowlet = await find(op.flowletId);
  if (!flowlet) return fault('/flowletId', 'FLOWLET_UNKNOWN', 'there is no such flowlet');
  const { args, faults } = typedArguments(flowlet.params, op.params ?? {}, `${place}/params`);
  faults.push(...mapFaults(flowlet, op.columnMap ?? {}, `${place}/columnMap`));
  const { version } = flowlet;
  if (faults.length > 0) return { ops: [], version, faults };
  const inner = await plainOps(find, flowlet.ops, args, '/ops', level + 1, budget);
  // Its author cannot mend what is wrong inside: the fault is that of the use.
  const innerFaults = inner.faults.map(({ code, message }) => ({ pointer: place, code, message }));
  const renamed = Object.entries(op.columnMap ?? {}).filter(([own, actual]) => own !== actual);
  const map = Object.fromEntries(renamed.map(([own, actual]) => [actual, own]));
  const before = renamed.length > 0 ? [{ op: 'rename', map }] : [];
  return { ops: [...before, ...inner.ops], version, faults: innerFaults };
}

/** Columns that the flowlet has not, and those that are taken for several of its own. */
function mapFaults({ inputs }: FlowletContent, columnMap: Readonly<Record<string, string>>, at: string): Fault[] {
  const own = new Set(inputs[0]!.columns.map(({ name }) => folded(name)));
  const takenFor = new Map<string, string>();
  return Object.entries(columnMap).flatMap(([name, actual]): Fault[] => {
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

const moved = (fault: Fault, from: string, to: string): Fault => ({
  ...fault,
  pointer: `${to}${fault.pointer.slice(from.length)}`,
});
