import type { CodeCheck } from '../../../data/sandbox/check-code.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { TransformCodeConfig } from '../definition/configs/transform-code.ts';
import type { Step } from '../definition/dag.ts';
import { fillTemplate, type ReferenceValues } from '../definition/references.ts';
import type { StoredRun } from '../store/records.ts';

const DEFAULT_MEMORY_MB = 128;
/** More than fifty values without references can have, and little enough to be sent with the rows and looked for in them. */
const MAX_ENV_CHARACTERS = 256 * 1024;

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

/** Throws RESULT_TOO_LARGE when the values of `env` together are more than 256 Ki characters. */
export function codeCallOf(
  step: Step,
  values: ReferenceValues,
  { run, itemIndex }: { run: StoredRun; itemIndex: number | null },
): CodeCall {
  const config = step.config as unknown as TransformCodeConfig;
  const { code, language = 'javascript', entrypoint = 'transform', memoryMb = DEFAULT_MEMORY_MB } = config;
  const env = filledEnv(config.env ?? {}, values);
  return {
    code: { code, language, entrypoint },
    context: { params: values.params, run: values.run, forEach: values.forEach, env },
    output: config.outputSchema,
    memoryMb,
    seed: `${run.id}#${step.id}#${itemIndex ?? '-'}`,
    nowMs: Date.parse(run.startedAt ?? run.createdAt),
  };
}

/** Stops at the value that is too much: a few characters of references may stand for megabytes of secrets. */
function filledEnv(texts: Readonly<Record<string, string>>, values: ReferenceValues): Record<string, string> {
  let room = MAX_ENV_CHARACTERS;
  const filled = Object.entries(texts).map(([name, text]) => {
    const value = fillTemplate(text, values);
    room -= value.length;
    if (room >= 0) return [name, value] as const;
    const most = MAX_ENV_CHARACTERS.toLocaleString('en');
    throw new DataError(
      'RESULT_TOO_LARGE',
      `The values of env have more than ${most} characters in all, from ${name} on.`,
    );
  });
  return Object.fromEntries(filled);
}
