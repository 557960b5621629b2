import { MAX_FUNCTION_SECONDS } from './configs/members.ts';

/** Memory of the functions that run steps, in MB; Lambda scales processors with it. */
export const COMPUTE_SIZES = { small: 2048, medium: 4096, large: 8192, xlarge: 10_240 } as const;
export type ComputeSize = keyof typeof COMPUTE_SIZES;
/** The size that an execution starts with. */
export const DEFAULT_SIZE = 'medium' satisfies ComputeSize;
export const DEFAULT_COMPUTE = { engine: 'function', size: DEFAULT_SIZE } as const satisfies StepCompute;

/** Engines that a deployment may have for steps besides its functions. */
export type ExtraEngine = 'container';

/** Reads the comma-separated names that a deployment passes to its functions, such as `container`. */
export function extraEngines(names = ''): ReadonlySet<ExtraEngine> {
  return new Set(names.split(',').filter(Boolean) as ExtraEngine[]);
}

/** What runs a step: a function of a size, the same code in a container without a time limit, or Athena. */
export type StepCompute = { engine: 'function'; size: ComputeSize } | { engine: 'container' } | { engine: 'athena' };

/** The log of the step shows `reason`. */
export type ComputeChoice = Exclude<StepCompute, { engine: 'athena' }> & { reason: string };

/** Sorting or joining rows takes several times the size of their Parquet file. */
const SHARE_OF_MEMORY = 0.25;
const MB = 1024 * 1024;

export interface StepNeeds {
  /** The size in the pipeline's `compute`. */
  requested?: ComputeSize | undefined;
  /** The timeout of an attempt. */
  seconds: number;
  /** The total size of all inputs. */
  inputBytes: number;
}

/**
 * Chooses what runs a step: a container if its timeout exceeds a function's, then the size that the pipeline asks for,
 * or else a size that fits its inputs. `extra` lists what the deployment has besides functions.
 */
export function chooseCompute(
  { requested, seconds, inputBytes }: StepNeeds,
  extra: ReadonlySet<ExtraEngine>,
): ComputeChoice {
  const containers = extra.has('container');
  if (containers && seconds > MAX_FUNCTION_SECONDS) {
    return { engine: 'container', reason: `its timeout is ${seconds} seconds` };
  }
  const sized = (size: ComputeSize, reason: string): ComputeChoice => ({ engine: 'function', size, reason });
  if (requested) return sized(requested, `the pipeline asks for ${requested}`);
  const inputs = `inputs of ${Math.ceil(inputBytes / MB)} MB`;
  const holds = (size: ComputeSize) => inputBytes <= COMPUTE_SIZES[size] * MB * SHARE_OF_MEMORY;
  const fitting = ([DEFAULT_SIZE, 'large', 'xlarge'] as const).find(holds);
  if (fitting) return sized(fitting, inputs);
  if (containers) return { engine: 'container', reason: `${inputs} exceed the memory of a function` };
  return sized('xlarge', `${inputs} exceed the memory; the rest spills to disk`);
}

/** Whether the worker of one step can continue with another. */
export function isSameCompute(one: StepCompute, other: StepCompute): boolean {
  return one.engine === 'function' && other.engine === 'function'
    ? one.size === other.size
    : one.engine === other.engine;
}

/** The total size of all inputs of a step. */
export function bytesOf(
  inputs: Record<string, readonly { files: readonly { key: string }[]; bytes: number }[]>,
): number {
  return distinctOutputs(inputs).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The outputs behind the aliases of inputs, each once: a step may read the same rows by a step's id and as `input`. */
export function distinctOutputs<T extends { files: readonly { key: string }[] }>(
  inputs: Record<string, readonly T[]>,
): T[] {
  const outputs = Object.values(inputs).flat();
  return [...new Map(outputs.map((output) => [output.files.map(({ key }) => key).join('\n'), output])).values()];
}
