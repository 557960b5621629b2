import { type Engine, openEngine } from '../../../../../shared/data/duckdb/engine.ts';
import {
  athenaStep,
  isShared,
  type PortableStep,
  type ReferenceValues,
  STAGING_PREFIX,
  type Step,
  type StepOutput,
} from '../../../../../shared/domains/pipelines/index.ts';
import { DataError } from '../../../../../shared/platform/errors/data-error.ts';
import { ObjectMissing } from '../../../../../shared/platform/objects/object-missing.ts';
import type { Worker } from '../attempt.ts';
import { isPlain, readFooter } from './footers.ts';

/** Athena takes 256 KiB, and so does what a state machine hands on, names of tables and columns included. */
const LONGEST_STATEMENT_BYTES = 150_000;

type Room = Pick<Worker, 'objects' | 'scratchDir'>;

/** Whether a step can move to Athena with the rows that it is given, and what it is there. */
export async function checkStep(
  room: Room,
  step: Step,
  inputs: Record<string, StepOutput[]>,
  values: ReferenceValues,
): Promise<PortableStep> {
  if (step.type !== 'transform_sql') return stays(`A ${step.type} step is not of SQL.`);
  const columns: Record<string, StepOutput['columns']> = {};
  for (const [alias, outputs] of Object.entries(inputs)) {
    const [first, ...others] = outputs;
    if (!first) return stays(`The input ${alias} was skipped.`);
    if (others.some((other) => JSON.stringify(other.columns) !== JSON.stringify(first.columns))) {
      return stays(`The items of the input ${alias} have different columns.`);
    }
    columns[alias] = first.columns;
  }
  const made = await withEngine(room, (engine) => checkStatement(engine, step, columns, values));
  if (!made.moves) return made;
  if (Buffer.byteLength(made.sql) > LONGEST_STATEMENT_BYTES) return stays('Its statement is too long.');
  const read = made.tables.flatMap((alias) => inputs[alias]!);
  const issue = await withEngine(room, (engine) => fileIssue({ ...room, engine }, read));
  return issue === undefined ? made : stays(issue);
}

/** Columns of one type may be written in several ways, not all of which mean the same to Athena. */
async function fileIssue(room: Room & { engine: Engine }, read: readonly StepOutput[]): Promise<string | undefined> {
  for (const { files, columns } of read) {
    for (const file of files) {
      if (!file.key.startsWith(STAGING_PREFIX))
        return 'A file that it reads lies in its source, where it may be replaced.';
      const found = await readFooter(room, file).catch(orGone);
      if (!found) return 'A file that it reads is gone.';
      const { written } = found;
      const odd = columns.find((column) => isShared(column) && !isPlain(column.type, written.get(column.name)));
      if (odd) return `The column ${odd.name} is ${odd.type}, but written as ${written.get(odd.name) ?? 'nothing'}.`;
    }
  }
  return undefined;
}

/** The attempt itself finds that out too, and fails. */
function orGone(error: unknown): undefined {
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
    // Whoever works on the step meets the same issue, and tells it with its place.
    if (error instanceof DataError) return stays(error.message);
    throw error;
  }
}

async function withEngine<T>({ scratchDir }: Room, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: scratchDir });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

const stays = (message: string): PortableStep => ({ moves: false, reasons: [{ message }] });
