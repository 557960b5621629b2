import type { Issue } from '../../platform/errors/app-error.ts';
import { quoteIdentifier } from '../duckdb/quoting.ts';
import type { DataType, SqlColumn } from '../expressions/index.ts';
import { select, where } from '../semantics/lines.ts';
import { NotWritable } from '../semantics/writer.ts';
import { bindTransforms } from './bind.ts';
import { chainColumn, type SourceColumn } from './column-types.ts';
import { Chain, COMPILERS, type CompileOptions } from './compile.ts';
import type { TransformType } from './configs.ts';
import { SelectBuilder } from './select-builder.ts';
import type { Step } from './steps.ts';

export interface RelationOptions extends CompileOptions {
  table: {
    /** Empty for datasets, which have none. */
    schema: string;
    name: string;
    /** Null if they were never read. */
    columns: readonly SourceColumn[] | null;
  };
  /** Conditions on the rows of the source, as SQL over its columns without an alias; all of them must hold. */
  conditions: readonly string[];
  /** In their order; those that are not enabled are left out. */
  steps: readonly Step[];
}

export interface RelationColumn {
  name: string;
  type: DataType;
  stored?: SqlColumn['stored'];
}

export interface TableRelation {
  /** What stands in FROM: the name of the table, or a query in parentheses. */
  sql: string;
  /** Null if those of the source are not known and there are no steps. */
  columns: RelationColumn[] | null;
  /** The terms of ORDER BY by which steps have sorted the rows. */
  order: string[];
}

/** Why a step cannot run. */
export interface StepProblem {
  stepId: string;
  /** Each with its place in the configuration. */
  issues: Issue[];
}

/**
 * The rows of a table of a model after its transform steps. Conditions apply to the rows of the source, before all
 * steps, and no expression of a step or of a query around it can reveal by an error what they hide.
 */
export function tableRelation(options: RelationOptions): TableRelation | { problems: StepProblem[] } {
  const { table, conditions, dialect } = options;
  const steps = options.steps.filter(({ isEnabled }) => isEnabled);
  const source = (table.schema === '' ? [table.name] : [table.schema, table.name]).map(quoteIdentifier).join('.');
  if (!table.columns) {
    if (steps.length > 0) return { problems: [problem(steps[0]!, UNKNOWN_COLUMNS)] };
    return { sql: restricted(source, conditions), columns: null, order: [] };
  }
  const columns = table.columns.map((column) => chainColumn(column, dialect));
  if (steps.length === 0) return { sql: restricted(source, conditions), columns, order: [] };
  const bound = bindTransforms(columns, steps);
  if ('failed' in bound) return { problems: [{ stepId: bound.failed.id, issues: bound.issues }] };
  return compiled(new SelectBuilder(source, columns, [table.name]), steps, options);
}

const UNKNOWN_COLUMNS: Issue = {
  pointer: '',
  code: 'UNKNOWN_COLUMNS',
  message: 'the columns of the table are not known; sync its source',
};

const MAX_SQL_LENGTH = 1024 * 1024;

const TOO_LONG: Issue = {
  pointer: '',
  code: 'MAX_LENGTH',
  message: 'the SQL of the steps up to this one is longer than 1 MB; use fewer values or fewer steps',
};

const problem = ({ id }: Step, issue: Issue): StepProblem => ({ stepId: id, issues: [issue] });

/**
 * Databases may compute an expression before they filter, and its error could show a value of a hidden row. They
 * compute none before a query that has an offset.
 */
const BARRIER = 'OFFSET 0';

const restricted = (source: string, conditions: readonly string[]): string =>
  conditions.length === 0
    ? source
    : `(${[...select(['*']), `FROM ${source}`, ...where(conditions), BARRIER].join('\n')})`;

function compiled(builder: SelectBuilder, steps: readonly Step[], options: RelationOptions) {
  const chain = new Chain(builder, options);
  for (const condition of options.conditions) builder.filter(condition);
  if (options.conditions.length > 0) builder.next('#rows', { outputs: builder.outputs, rest: [BARRIER] });
  for (const [index, step] of steps.entries()) {
    chain.doneName = chain.stepName;
    chain.stepName = `#${index + 1} ${step.type}`;
    try {
      compileStep(chain, step);
    } catch (error) {
      if (!(error instanceof NotWritable)) throw error;
      return { problems: [problem(step, { pointer: '', code: '6001', message: error.diagnostic.message })] };
    }
  }
  const { sql } = builder;
  if (sql.length > MAX_SQL_LENGTH) return { problems: [problem(steps.at(-1)!, TOO_LONG)] };
  const order = chain.order.map((term) => chain.orderedOutput(term));
  const columns = builder.outputs.map(
    ({ name, type, stored }): RelationColumn => ({ name, type, ...(stored ? { stored } : {}) }),
  );
  return { sql, columns, order };
}

function compileStep(chain: Chain, { type, config }: Step): void {
  const compile = COMPILERS[type as TransformType] as (chain: Chain, config: object) => void;
  compile(chain, config);
}

const DIALECTS = ['duckdb', 'postgres'] as const;

/** The step that some database could not run, although it fits the columns: its SQL would be too long. */
export function unwritableStep(columns: readonly SourceColumn[], steps: readonly Step[]): StepProblem | undefined {
  const table = { schema: '', name: 'table', columns };
  for (const dialect of DIALECTS) {
    const relation = tableRelation({ table, conditions: [], steps, dialect, params: [], now: new Date(0) });
    if ('problems' in relation) return relation.problems[0];
  }
  return undefined;
}
