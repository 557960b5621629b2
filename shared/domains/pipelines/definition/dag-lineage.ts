import type { Column } from '../../../data/duckdb/column-types.ts';
import {
  type ColumnUse,
  type DirectSubtype,
  type IndirectSubtype,
  statementLineage,
} from '../../../data/lineage/column-lineage.ts';
import type { TreeNode } from '../../../data/sql/parse-tree.ts';
import { type CompiledStep, compileStep } from './compile-step.ts';
import type { TransformCodeConfig } from './configs/transform-code.ts';
import { type Dag, dependenciesOf, type Step } from './dag.ts';
import { sampleValues } from './references.ts';
import { inputsOf } from './step-configs.ts';

/** `full`: the origin of every column is known; `partial`: of some; `opaque`: only the steps that feed it are known. */
export type Completeness = 'full' | 'partial' | 'opaque';

/** The origin of the columns of a step. The `table` of each use is the id of a step. */
export interface StepLineage {
  stepId: string;
  /** Null if only a run can determine them. */
  columns: Column[] | null;
  fields: { column: string; inputs: ColumnUse<DirectSubtype>[] }[];
  indirect: ColumnUse<IndirectSubtype>[];
  completeness: Completeness;
}

/** The columns of a statement over empty tables, and its parse tree; undefined for a statement that fails on them. */
export type Describe = (
  compiled: CompiledStep,
  tables: Record<string, Column[]>,
) => Promise<{ columns: Column[]; root: TreeNode } | undefined>;

/**
 * The lineage of each step of a valid definition. `known` holds the columns that extracts read in the last run, by
 * step.
 */
export async function dagLineage(
  dag: Dag,
  known: Readonly<Record<string, Column[]>>,
  describe: Describe,
): Promise<StepLineage[]> {
  const loads = new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));
  const lineages = new Map<string, StepLineage>();
  for (const step of inOrder(dag.steps)) {
    const inputs = Object.entries(inputsOf(step, loads));
    const columns = inputs.map(([alias, id]) => [alias, lineages.get(id)?.columns ?? null] as const);
    const seen = Object.hasOwn(known, step.id) ? known[step.id] : undefined;
    const lineage = await stepLineage(dag, step, Object.fromEntries(inputs), columns, seen, describe);
    lineages.set(step.id, lineage);
  }
  return dag.steps.map(({ id }) => lineages.get(id)!);
}

async function stepLineage(
  dag: Dag,
  step: Step,
  inputs: Record<string, string>,
  columns: readonly (readonly [string, Column[] | null])[],
  known: Column[] | undefined,
  describe: Describe,
): Promise<StepLineage> {
  const opaque = (of: Column[] | null): StepLineage => ({
    stepId: step.id,
    columns: of,
    fields: [],
    indirect: [],
    completeness: 'opaque',
  });
  if (step.type === 'extract') return { ...opaque(known ?? null), completeness: known ? 'full' : 'opaque' };
  if (columns.some(([, of]) => of === null)) return opaque(null);
  const tables = Object.fromEntries(columns) as Record<string, Column[]>;
  if (step.type === 'transform_code') {
    return opaque((step.config as unknown as TransformCodeConfig).outputSchema ?? tables.input ?? null);
  }
  if (step.type === 'load') return passThrough(step, inputs.input!, tables.input!);

  const compilation = compileStep(step, tables, sampleValues(dag, step.id));
  if (!compilation?.ok) return opaque(null);
  const described = await describe(compilation.compiled, tables);
  if (!described) return opaque(null);
  const { columns: outputs, root } = described;
  const statement = statementLineage(
    root,
    Object.entries(tables).map(([name, of]) => ({ name, columns: of })),
    outputs.map(({ name }) => name),
  );
  const byStep = <S>(uses: ColumnUse<S>[]) => uses.map((use) => ({ ...use, table: inputs[use.table]! }));
  const fields = statement.columns.flatMap(({ name, inputs: uses }) =>
    uses ? [{ column: name, inputs: byStep(uses) }] : [],
  );
  const resolved = fields.length;
  const isFull = resolved === outputs.length && statement.isIndirectComplete;
  const completeness = isFull ? 'full' : resolved > 0 ? 'partial' : 'opaque';
  const lineage = {
    stepId: step.id,
    columns: outputs,
    fields,
    indirect: byStep(statement.indirect),
    completeness,
  } as const;
  if (step.type !== 'route') return lineage;
  const [port] = statement.columns;
  return routed(step, inputs.input!, tables.input!, port?.inputs ? byStep(port.inputs) : undefined);
}

/** Every output column is an input column. */
function passThrough({ id: stepId }: Pick<Step, 'id'>, from: string, columns: Column[]): StepLineage {
  const fields = columns.map(({ name }) => ({
    column: name,
    inputs: [{ table: from, column: name, subtype: 'IDENTITY' as const }],
  }));
  return { stepId, columns, fields, indirect: [], completeness: 'full' };
}

/** The lineage of a route: its rows are unchanged, and the columns in its conditions decide the port of each row. */
function routed(
  step: Step,
  from: string,
  columns: Column[],
  deciding: readonly ColumnUse<DirectSubtype>[] | undefined,
): StepLineage {
  const indirect = (deciding ?? []).map(({ table, column }) => ({ table, column, subtype: 'CONDITIONAL' as const }));
  return { ...passThrough(step, from, columns), indirect, completeness: deciding ? 'full' : 'partial' };
}

function inOrder(steps: readonly Step[]): Step[] {
  const done = new Set<string>();
  const ordered: Step[] = [];
  const visit = (step: Step): void => {
    if (done.has(step.id)) return;
    done.add(step.id);
    for (const id of dependenciesOf(step)) visit(steps.find((other) => other.id === id)!);
    ordered.push(step);
  };
  for (const step of steps) visit(step);
  return ordered;
}
