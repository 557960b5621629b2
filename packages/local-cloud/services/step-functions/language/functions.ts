import { createHash, randomUUID } from 'node:crypto';
import jsonata from 'jsonata';

/** Source of time and randomness for expressions. */
export interface ExpressionRuntime {
  /** Epoch milliseconds. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
}

const HASHES = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const;
const formatInstant = jsonata('$fromMillis($instant, $picture, $timezone)');

/**
 * Step Functions' additions to JSONata (`$partition`, `$range`, `$hash`, `$random`, `$uuid`, `$parse`), and JSONata's
 * time functions bound to the given clock: one instant per evaluation.
 */
export function stepFunctionsFunctions(runtime: ExpressionRuntime): Record<string, unknown> {
  const instant = runtime.now();
  return {
    now: (picture?: string, timezone?: string) => formatInstant.evaluate(undefined, { instant, picture, timezone }),
    millis: () => instant,
    random: (seed?: number) => (seed === undefined ? runtime.random() : seeded(seed)),
    uuid: () => randomUUID(),
    parse: (text?: string) => (text === undefined ? undefined : JSON.parse(text)),
    hash,
    partition,
    range,
    eval: () => {
      throw new Error('The function $eval is not supported. Use $parse for JSON text.');
    },
  };
}

function hash(text: unknown, algorithm = 'SHA-256'): string {
  if (!Object.hasOwn(HASHES, algorithm)) throw new Error(`$hash does not support the algorithm ${algorithm}.`);
  const content = typeof text === 'string' ? text : JSON.stringify(text);
  return createHash(HASHES[algorithm as keyof typeof HASHES])
    .update(content)
    .digest('hex');
}

function partition(values: unknown, size: unknown): unknown[][] {
  if (typeof size !== 'number' || !(size >= 1)) throw new Error('$partition needs a size of at least 1.');
  const list = Array.isArray(values) ? values : [values];
  const step = Math.floor(size);
  return Array.from({ length: Math.ceil(list.length / step) }, (_, index) =>
    list.slice(index * step, (index + 1) * step),
  );
}

function range(first: number, last: number, step: number): number[] {
  if (![first, last, step].every(Number.isFinite) || step === 0) {
    throw new Error('$range needs a first and a last number and a step other than 0.');
  }
  const values: number[] = [];
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
    if (values.push(value) > 1000) throw new Error('$range returns at most 1000 values.');
  }
  return values;
}

/** The same seed gives the same number (mulberry32, one step). */
function seeded(seed: number): number {
  let state = (Math.trunc(seed) + 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}
