import { type Engine, openEngine } from '../../../../../shared/data/duckdb/engine.ts';
import {
  athenaStep,
  isShared,
  type PortableStep,
  type ReferenceValues,
  type Step,
} from '../../../../../shared/domains/pipelines/definition/index.ts';
import { STAGING_PREFIX, type StepOutput } from '../../../../../shared/domains/pipelines/store/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { ObjectMissing } from '../../../../../shared/platform/objects/object-missing.ts';
import type { Worker } from '../attempt.ts';
import { isReadAlike, readFooter } from './footers.ts';

/** Athena accepts 256 KiB, and a state machine passes on as much, including the names of tables and columns. */
const MAX_STATEMENT_BYTES = 150_000;

type CheckContext = Pick<Worker, 'objects' | 'scratchDir'>;

/** Checks whether a step can move to Athena with its current inputs; returns its statement if so. */
export async function checkStep(
  context: CheckContext,
  step: Step,
  inputs: Record<string, StepOutput[]>,
  values: ReferenceValues,
): Promise<PortableStep> {
  if (step.type !== 'transform_sql') return stays(`A ${step.type} step does not run SQL.`);
  const columns: Record<string, StepOutput['columns']> = {};
  for (const [alias, outputs] of Object.entries(inputs)) {
    const [first, ...others] = outputs;
    if (!first) return stays(`The input ${alias} was skipped.`);
    if (others.some((other) => JSON.stringify(other.columns) !== JSON.stringify(first.columns))) {
      return stays(`The items of the input ${alias} have different columns.`);
    }
    columns[alias] = first.columns;
  }
  const made = await withEngine(context, (engine) => checkStatement(engine, step, columns, values));
  if (!made.moves) return made;
  if (Buffer.byteLength(made.sql) > MAX_STATEMENT_BYTES) return stays('The statement is too long.');
  const read = made.tables.flatMap((alias) => inputs[alias]!);
  const issue = await withEngine(context, (engine) => fileIssue({ ...context, engine }, read));
  return issue === undefined ? made : stays(issue);
}

/** Parquet can store a column of one type in several ways, and Athena reads some of them differently. */
async function fileIssue(
  context: CheckContext & { engine: Engine },
  read: readonly StepOutput[],
): Promise<string | undefined> {
  for (const { files, columns } of read) {
    for (const file of files) {
      if (!file.key.startsWith(STAGING_PREFIX)) return 'An input file lies in its source, where it may be replaced.';
      const found = await readFooter(context, file).catch(ignoreMissing);
      if (!found) return 'An input file no longer exists.';
      const { written } = found;
      const odd = columns.find((column) => isShared(column) && !isReadAlike(column.type, written.get(column.name)));
      if (odd)
        return `The column ${odd.name} is of type ${odd.type}, but stored as ${written.get(odd.name) ?? 'nothing'}.`;
    }
  }
  return undefined;
}

/** The attempt fails on its own when a file is missing. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof ObjectMissing)) throw error;
}

async function checkStatement(
  engine: Engine,
  step: Step,
  columns: Record<string, StepOutput['columns']>,
  values: ReferenceValues,
): Promise<PortableStep> {
  await engine.lock();
  try {
    return await athenaStep(engine, step.config, columns, values);
  } catch (error) {
    // The worker that runs the step finds the same issue and reports it with its place.
    if (error instanceof DataError) return stays(error.message);
    throw error;
  }
}

async function withEngine<T>({ scratchDir }: CheckContext, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: scratchDir });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

const stays = (message: string): PortableStep => ({ moves: false, reasons: [{ message }] });
