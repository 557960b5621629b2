/** Memory of the functions that work on steps, in MB; processors come with it. */
export const COMPUTE_SIZES = { small: 2048, medium: 4096, large: 8192, xlarge: 10_240 } as const;
export type ComputeSize = keyof typeof COMPUTE_SIZES;

/** What an execution begins with. */
export const USUAL_SIZE = 'medium' satisfies ComputeSize;

/** Rows take several times the room of their Parquet file when they are sorted or joined. */
const SHARE_OF_MEMORY = 0.25;
const MB = 1024 * 1024;

export interface ComputeChoice {
  size: ComputeSize;
  /** For the log of the step. */
  reason: string;
}

/** The function for a step, before it begins: what the pipeline asks for, or else what the step's inputs are likely to need. */
export function chooseCompute(chosen: ComputeSize | undefined, inputBytes: number): ComputeChoice {
  if (chosen) return { size: chosen, reason: `the pipeline asks for ${chosen}` };
  const inputs = `inputs of ${Math.ceil(inputBytes / MB)} MB`;
  const holds = (size: ComputeSize) => inputBytes <= COMPUTE_SIZES[size] * MB * SHARE_OF_MEMORY;
  if (holds(USUAL_SIZE)) return { size: USUAL_SIZE, reason: inputs };
  if (holds('large')) return { size: 'large', reason: inputs };
  return {
    size: 'xlarge',
    reason: `${inputs}${holds('xlarge') ? '' : ', more than fits into memory: what does not is kept on disk'}`,
  };
}

/** Size of all inputs of a step together. */
export function bytesOf(inputs: Record<string, readonly { bytes: number }[]>): number {
  return Object.values(inputs)
    .flat()
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
