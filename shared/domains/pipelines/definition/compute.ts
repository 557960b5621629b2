import { MAX_FUNCTION_SECONDS } from './configs/members.ts';

/** Memory of the functions that work on steps, in MB; processors come with it. */
export const COMPUTE_SIZES = { small: 2048, medium: 4096, large: 8192, xlarge: 10_240 } as const;
export type ComputeSize = keyof typeof COMPUTE_SIZES;
/** What an execution begins with. */
export const USUAL_SIZE = 'medium' satisfies ComputeSize;
export const USUAL_COMPUTE = { engine: 'function', size: USUAL_SIZE } as const satisfies StepCompute;

/** What a deployment may have for steps beside its functions. */
export type ExtraEngine = 'container';

/** What a deployment tells its functions of, such as `container`; nothing where it has nothing. */
export function extraEngines(told = ''): ReadonlySet<ExtraEngine> {
  return new Set(told.split(',').filter(Boolean) as ExtraEngine[]);
}

/** What works on a step: a function of a size, the same code in a container, which has no time limit, or Athena. */
export type StepCompute = { engine: 'function'; size: ComputeSize } | { engine: 'container' } | { engine: 'athena' };

/** `reason` is for the log of the step. */
export type ComputeChoice = Exclude<StepCompute, { engine: 'athena' }> & { reason: string };

/** Rows take several times the room of their Parquet file when they are sorted or joined. */
const SHARE_OF_MEMORY = 0.25;
const MB = 1024 * 1024;

export interface StepNeeds {
  /** The size that the pipeline asks for. */
  asked?: ComputeSize | undefined;
  /** How long an attempt may take. */
  seconds: number;
  /** Of all inputs together. */
  inputBytes: number;
}

/**
 * What is to work on a step, before it begins: what can take as long as the step may, then what the pipeline asks for, or else
 * what the step's inputs are likely to need. `extra` is what the deployment has beside functions.
 */
export function chooseCompute(
  { asked, seconds, inputBytes }: StepNeeds,
  extra: ReadonlySet<ExtraEngine>,
): ComputeChoice {
  const containers = extra.has('container');
  if (containers && seconds > MAX_FUNCTION_SECONDS) {
    return { engine: 'container', reason: `it may take ${seconds} seconds` };
  }
  const sized = (size: ComputeSize, reason: string): ComputeChoice => ({ engine: 'function', size, reason });
  if (asked) return sized(asked, `the pipeline asks for ${asked}`);
  const inputs = `inputs of ${Math.ceil(inputBytes / MB)} MB`;
  const holds = (size: ComputeSize) => inputBytes <= COMPUTE_SIZES[size] * MB * SHARE_OF_MEMORY;
  const fitting = ([USUAL_SIZE, 'large', 'xlarge'] as const).find(holds);
  if (fitting) return sized(fitting, inputs);
  const tooMuch = `${inputs}, more than fits into memory`;
  if (containers) return { engine: 'container', reason: `${tooMuch} of a function` };
  return sized('xlarge', `${tooMuch}: what does not is kept on disk`);
}

/** Whether what works on one step may go on with another. */
export function isSameCompute(one: StepCompute, other: StepCompute): boolean {
  return one.engine === 'function' && other.engine === 'function'
    ? one.size === other.size
    : one.engine === other.engine;
}

/** Size of all inputs of a step together. */
export function bytesOf(
  inputs: Record<string, readonly { files: readonly { key: string }[]; bytes: number }[]>,
): number {
  return distinctOutputs(inputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What stands behind the names of inputs, each once: a step may know the same rows by the id of a step and as `input`. */
export function distinctOutputs<T extends { files: readonly { key: string }[] }>(
  inputs: Record<string, readonly T[]>,
): T[] {
  const outputs = Object.values(inputs).flat();
  return [...new Map(outputs.map((output) => [output.files.map(({ key }) => key).join('\n'), output])).values()];
}
