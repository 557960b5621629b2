import { type EmbeddingModel, embedMany } from 'ai';
import { DIMENSIONS } from './dimensions.ts';
import { AiUnavailable, unavailable } from './generate.ts';

/** The largest value of a member of a vector, which is a whole number. */
const MAX_MEMBER = 127;
const CALLS_AT_ONCE = 8;

/** Texts to turn into vectors. */
export interface Texts {
  texts: readonly string[];
  /** The time limit of all calls, including retries. */
  timeoutMs: number;
  /** How often a failed call is repeated. */
  maxRetries: number;
}

export interface Embedded {
  /** One for each text, with whole numbers from -127 to 127. */
  vectors: Int8Array[];
  inputTokens: number;
}

/** Throws `AiUnavailable`, also for vectors of another length. */
export async function embed(model: EmbeddingModel, { texts, timeoutMs, maxRetries }: Texts): Promise<Embedded> {
  const end = AbortSignal.timeout(timeoutMs);
  try {
    const { embeddings, usage } = await embedMany({
      model,
      values: [...texts],
      dimensions: DIMENSIONS,
      // Each family of models on Bedrock has a name of its own for it.
      providerOptions: {
        amazonBedrock: { dimensions: DIMENSIONS, embeddingDimension: DIMENSIONS, outputDimension: DIMENSIONS },
      },
      maxParallelCalls: CALLS_AT_ONCE,
      maxRetries,
      abortSignal: end,
    });
    // Some providers report no tokens.
    return { vectors: embeddings.map(quantize), inputTokens: Number.isFinite(usage.tokens) ? usage.tokens : 0 };
  } catch (cause) {
    throw unavailable(cause, end, timeoutMs);
  }
}

/** A vector of the same direction in whole numbers of one byte. */
function quantize(vector: readonly number[]): Int8Array {
  if (vector.length !== DIMENSIONS)
    throw new AiUnavailable(`its vectors have ${vector.length} dimensions instead of ${DIMENSIONS}`);
  const largest = Math.max(...vector.map(Math.abs));
  if (!(largest > 0 && Number.isFinite(largest))) throw new AiUnavailable('it returned a vector without direction');
  return Int8Array.from(vector, (member) => Math.round((member / largest) * MAX_MEMBER));
}
