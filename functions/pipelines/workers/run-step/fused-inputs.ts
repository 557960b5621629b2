import { withGuardedEngine } from '../../../../shared/data/duckdb/guarded-engine.ts';
import { timeoutMsOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { FusedOutput, StepOutput } from '../../../../shared/domains/pipelines/store/index.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { ObjectMissing } from '../../../../shared/platform/objects/object-missing.ts';
import { type Attempt, engineResources, lockedFor, StepFailure } from './attempt.ts';
import { withSkippedInputs } from './skipped-columns.ts';
import { transformSql } from './transform-sql.ts';

type Parts = Omit<Attempt, 'engine'>;

/**
 * The inputs of a step with the rows of fused steps on the disk of this worker. It still has them if it has just run
 * those steps; otherwise, as after a crash, it computes them again.
 */
export async function withFusedInputs(
  parts: Parts,
  inputs: Record<string, StepOutput[]>,
): Promise<Record<string, StepOutput[]>> {
  if (!Object.values(inputs).some((outputs) => outputs.some(({ fused }) => fused))) return inputs;
  const found = new Map<number, StepOutput>();
  const readable: Record<string, StepOutput[]> = {};
  for (const [alias, outputs] of Object.entries(inputs)) {
    readable[alias] = [];
    for (const output of outputs) readable[alias].push(await readableOutput(parts, output, found));
  }
  return readable;
}

/** Two inputs may be the same rows. */
async function readableOutput(parts: Parts, output: StepOutput, found: Map<number, StepOutput>): Promise<StepOutput> {
  if (!output.fused || parts.fusion.kept.has(output)) return output;
  const { index } = output.fused;
  const known = found.get(index) ?? (await computeAgain(parts, output, output.fused));
  found.set(index, known);
  return known;
}

async function computeAgain(parts: Parts, output: StepOutput, fused: FusedOutput): Promise<StepOutput> {
  const source = await parts.fusion.sourceOf(fused.index);
  const { id } = source.step;
  parts.log('info', `The rows of step ${id} were not written, so they are computed again.`);
  try {
    const skipped = await withSkippedInputs({ ...parts, ...source });
    const again = await rowsOf({ ...parts, ...source, inputs: await withFusedInputs(parts, skipped) }, fused);
    if (again.rows !== output.rows) {
      parts.log('warn', `Step ${id} now returns ${again.rows} rows instead of ${output.rows}.`);
    }
    parts.fusion.replace(fused.index, again);
    return again;
  } catch (error) {
    throw failureOf(id, error);
  }
}

/** The file is called after the attempt that reads it: another attempt may still read one of its own. */
function rowsOf(parts: Parts, fused: FusedOutput): Promise<StepOutput> {
  const { worker, run, step, signal, die, fusion, prefix } = parts;
  const key = `${prefix}/again-${fused.index}.parquet`;
  const fateOf: Attempt['fusion']['fateOf'] = async (output) => ({
    kind: 'kept',
    output: { ...output, files: [{ ...output.files[0]!, key }], fused },
  });
  const limits = { timeoutMs: timeoutMsOf(step), signal, die };
  return withGuardedEngine(engineResources(worker, lockedFor(run)), limits, async (engine) => {
    const { output } = await transformSql({ ...parts, engine, fusion: { ...fusion, fateOf } });
    return output!;
  });
}

/** The step that reads the rows fails, so its error names the one that computes them. */
function failureOf(id: string, error: unknown): unknown {
  const prefix = `The rows of step ${id} could not be computed again: `;
  if (error instanceof ObjectMissing) {
    return new StepFailure('NOT_FOUND', `${prefix}A file that it reads was deleted or replaced.`, error);
  }
  if (error instanceof StepFailure) return new StepFailure(error.code, prefix + error.message, error);
  return error instanceof DataError ? new DataError(error.code, prefix + error.message, { cause: error }) : error;
}
