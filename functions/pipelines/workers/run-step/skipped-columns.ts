import type { Engine } from '../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { checkSelect } from '../../../../shared/data/sql/select-check.ts';
import { unionColumns } from '../../../../shared/data/tables/column-union.ts';
import type { DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import {
  compileStep,
  inputsOf,
  type Step,
  sampleValues,
  type TransformCodeConfig,
  timeoutMsOf,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import { lastColumnsOf } from '../../../../shared/domains/pipelines/runs/index.ts';
import { readKnownColumns, type StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { type Attempt, engineResources, lockedFor, StepFailure } from './attempt.ts';

type Parts = Omit<Attempt, 'engine' | 'log' | 'hide' | 'hideFromLog' | 'die'>;

/**
 * The inputs of a step, with an empty table for each skipped one. Its columns come from the definition, or from the
 * last run that had them. Throws SCHEMA_MISMATCH when the columns are unknown.
 */
export async function withSkippedInputs(parts: Parts): Promise<Record<string, StepOutput[]>> {
  const skipped = Object.entries(parts.inputs).filter(([, outputs]) => outputs.length === 0);
  if (skipped.length === 0) return parts.inputs;
  const ids = inputsOf(parts.step, loadsOf(parts));
  const known = new SkippedColumns(parts);
  const inputs = { ...parts.inputs };
  for (const [alias] of skipped) {
    const id = ids[alias]!;
    const columns = await known.of(id);
    if (!columns) {
      const message = `The step ${id} was skipped, and its columns are unknown until it has run once.`;
      throw new StepFailure('SCHEMA_MISMATCH', message);
    }
    inputs[alias] = [{ files: [], columns: [...columns], rows: 0, bytes: 0 }];
  }
  return inputs;
}

const loadsOf = ({ dag }: Parts) => new Set(dag.steps.filter(({ type }) => type === 'load').map(({ id }) => id));

class SkippedColumns {
  readonly #parts: Parts;
  readonly #found = new Map<string, Promise<readonly DatasetColumn[] | undefined>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(id: string): Promise<readonly DatasetColumn[] | undefined> {
    const found = this.#found.get(id) ?? this.#find(id);
    this.#found.set(id, found);
    return found;
  }

  async #find(id: string): Promise<readonly DatasetColumn[] | undefined> {
    const { worker, run, dag } = this.#parts;
    const step = dag.steps.find((candidate) => candidate.id === id)!;
    const { table, now } = worker.context;
    return (await this.#fromDefinition(step)) ?? (await lastColumnsOf(table, run, id, now()));
  }

  async #fromDefinition(step: Step): Promise<readonly DatasetColumn[] | undefined> {
    const { worker, run } = this.#parts;
    if (step.type === 'extract') return oneOf(await readKnownColumns(worker.context.table, run, step));
    if (step.type === 'transform_code') {
      const { outputSchema } = step.config as unknown as TransformCodeConfig;
      if (outputSchema) return outputSchema;
    }
    const inputs: Record<string, readonly DatasetColumn[]> = {};
    for (const [alias, id] of Object.entries(inputsOf(step, loadsOf(this.#parts)))) {
      const columns = await this.of(id);
      if (!columns) return undefined;
      inputs[alias] = columns;
    }
    if (step.type === 'route' || step.type === 'transform_code') return inputs.input;
    return step.type === 'transform_sql' ? this.#described(step, inputs) : undefined;
  }

  /** The columns of a statement over empty tables. */
  async #described(
    step: Step,
    inputs: Record<string, readonly DatasetColumn[]>,
  ): Promise<readonly DatasetColumn[] | undefined> {
    const { dag, run, values, worker, signal } = this.#parts;
    const samples = { ...sampleValues(dag, step.id), params: values.params, run: values.run };
    const compilation = compileStep(step, inputs, samples);
    if (!compilation?.ok) return undefined;
    const { sql, params, mayFail } = compilation.compiled;
    const describe = async (engine: Engine) => {
      await checkSelect(engine, sql, { tables: Object.keys(inputs), mayFail });
      for (const [alias, emptySchema] of Object.entries(inputs)) await engine.attach(alias, [], { emptySchema });
      await engine.lock();
      return engine.describe(sql, params);
    };
    const resources = engineResources(worker, lockedFor(run));
    try {
      return await withGuardedEngine(resources, { timeoutMs: timeoutMsOf(step), signal }, describe);
    } catch (error) {
      // A run that executes the step reports the error.
      if (error instanceof DataError && !signal.aborted) return undefined;
      throw error;
    }
  }
}

/** The columns of all items together. */
function oneOf(schemas: readonly (readonly DatasetColumn[])[]): readonly DatasetColumn[] | undefined {
  if (schemas.length === 0) return undefined;
  return schemas.reduce((columns, next) => unionColumns(columns, next).columns, [] as readonly DatasetColumn[]);
}
