import type { CodeCheck } from '../engine-function/protocol.ts';
import type { TransformCodeConfig } from './configs/transform-code.ts';
import type { Step } from './dag.ts';
import type { StoredRun } from './records.ts';
import { fillTemplate, type ReferenceValues } from './references.ts';

const DEFAULT_MEMORY_MB = 128;

/** How the sandbox is to call the code of a step. */
export interface CodeCall {
  code: CodeCheck;
  context: { env: Record<string, string>; [member: string]: unknown };
  /** The columns of the answer; those of the input when undefined. */
  output: TransformCodeConfig['outputSchema'];
  memoryMb: number;
  /** The same for every attempt of the step in the run, so that it makes the same rows. */
  seed: string;
  nowMs: number;
}

export function codeCallOf(
  step: Step,
  values: ReferenceValues,
  { run, itemIndex }: { run: StoredRun; itemIndex: number | null },
): CodeCall {
  const config = step.config as unknown as TransformCodeConfig;
  const { code, language = 'javascript', entrypoint = 'transform', memoryMb = DEFAULT_MEMORY_MB } = config;
  const env = Object.fromEntries(
    Object.entries(config.env ?? {}).map(([name, text]) => [name, fillTemplate(text, values)]),
  );
  return {
    code: { code, language, entrypoint },
    context: { params: values.params, run: values.run, forEach: values.forEach, env },
    output: config.outputSchema,
    memoryMb,
    seed: `${run.id}#${step.id}#${itemIndex ?? '-'}`,
    nowMs: Date.parse(run.startedAt ?? run.createdAt),
  };
}
