import { openEngine } from '../../../../shared/engine/engine.ts';
import { EngineError } from '../../../../shared/engine/engine-error.ts';
import type { Step } from '../../../../shared/pipelines/dag.ts';
import { athenaStep, type PortableStep } from '../../../../shared/pipelines/portable-step.ts';
import type { StepOutput } from '../../../../shared/pipelines/records.ts';
import type { ReferenceValues } from '../../../../shared/pipelines/references.ts';

/** Athena takes 256 KiB, and so does what a state machine hands on, names of tables and files included. */
const LONGEST_STATEMENT = 200_000;

/** Whether a step can move to Athena with the rows that it is given, and what it is there. */
export async function judgeStep(
  step: Step,
  inputs: Record<string, StepOutput[]>,
  values: ReferenceValues,
  tempDir: string,
): Promise<PortableStep> {
  if (step.type !== 'transform_sql') return stays(`a ${step.type} step is not of SQL`);
  const columns: Record<string, StepOutput['columns']> = {};
  for (const [alias, outputs] of Object.entries(inputs)) {
    const [first, ...others] = outputs;
    if (!first) return stays(`the input ${alias} was skipped`);
    if (others.some((other) => JSON.stringify(other.columns) !== JSON.stringify(first.columns))) {
      return stays(`the items of the input ${alias} have different columns`);
    }
    columns[alias] = first.columns;
  }
  const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir });
  try {
    await engine.lock();
    const made = await athenaStep(engine, step.config, columns, values);
    return made.moves && made.sql.length > LONGEST_STATEMENT ? stays('its statement is too long') : made;
  } catch (error) {
    // Whoever works on the step meets the same fault, and tells it with its place.
    if (error instanceof EngineError) return stays(error.message);
    throw error;
  } finally {
    await engine.close();
  }
}

const stays = (message: string): PortableStep => ({ moves: false, reasons: [{ message }] });
