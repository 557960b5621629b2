import type { CodeCheck } from '../../../data/sandbox/check-code.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import type { Step, TransformCodeConfig } from '../definition/index.ts';
import { fillTemplate, type ReferenceValues } from '../definition/index.ts';
import type { StoredRun } from '../store/index.ts';

const DEFAULT_MEMORY_MB = 128;
/** More than fifty literal values can have, yet small enough to be sent with the rows and masked in them. */
const MAX_ENV_CHARACTERS = 256 * 1024;

/** The parameters of the sandbox for the code of a step. */
export interface CodeCall {
  code: CodeCheck;
  context: { env: Record<string, string>; [member: string]: unknown };
  /** The output columns; those of the input when undefined. */
  output: TransformCodeConfig['outputSchema'];
  memoryMb: number;
  /** The same for every attempt of the step in a run, so that it produces the same rows. */
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

/** Stops at the first value beyond the limit: short references may expand to megabytes of secrets. */
function filledEnv(texts: Readonly<Record<string, string>>, values: ReferenceValues): Record<string, string> {
  let left = MAX_ENV_CHARACTERS;
  const filled = Object.entries(texts).map(([name, text]) => {
    const value = fillTemplate(text, values);
    left -= value.length;
    if (left >= 0) return [name, value] as const;
    const max = MAX_ENV_CHARACTERS.toLocaleString('en');
    throw new DataError(
      'RESULT_TOO_LARGE',
      `The values of env exceed ${max} characters in total at "${name}"; shorten them.`,
    );
  });
  return Object.fromEntries(filled);
}
