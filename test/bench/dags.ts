import type { Platform } from './platform.ts';

interface Step {
  id: string;
  type: 'extract' | 'transform_sql';
  dependsOn?: string[];
  config: Record<string, unknown>;
}

export interface LightDag {
  version: 1;
  steps: Step[];
}

const TINY = Buffer.from('id,value\n1,10\n2,20\n3,30\n');

/** A pipeline of steps that do next to nothing, so that what is measured is the going from step to step. */
export async function lightPipeline(platform: Platform, name: string, parents: readonly number[][]): Promise<string> {
  const sourceId = await platform.fileSource(name, { 'tiny.csv': TINY });
  const dag = lightDag(sourceId, parents);
  const { id } = await platform.call<{ id: string }>('POST', '/api/pipelines', { name, dag });
  return id;
}

/** One step per entry, waiting for the steps at these positions; one without parents extracts the tiny file. */
export function lightDag(sourceId: string, parents: readonly number[][]): LightDag {
  const steps = parents.map((before, index): Step => {
    const id = stepId(index);
    if (before.length === 0) return { id, type: 'extract', config: { sourceId, object: { path: 'tiny.csv' } } };
    const rows = before.map((parent) => `SELECT id, value FROM ${stepId(parent)}`).join(' UNION ');
    return { id, type: 'transform_sql', dependsOn: before.map(stepId), config: { sql: `${rows} ORDER BY id` } };
  });
  return { version: 1, steps };
}

/** Each step waits for the one before it. */
export function chainOf(length: number): number[][] {
  return Array.from({ length }, (_, index) => (index === 0 ? [] : [index - 1]));
}

/** Each step after the first waits for one to three of the twelve before it; the same seed gives the same shape. */
export function randomDag(length: number, seed: number): number[][] {
  const random = mulberry32(seed);
  return Array.from({ length }, (_, index) => {
    const wanted = Math.min(index, 1 + Math.floor(random() * 3));
    const parents = new Set<number>();
    while (parents.size < wanted) parents.add(index - 1 - Math.floor(random() * Math.min(12, index)));
    return [...parents].sort((a, b) => a - b);
  });
}

/** The longest sum of durations along a path. */
export function criticalPath(parents: readonly number[][], durations: readonly number[]): number {
  const ends: number[] = [];
  for (const [index, before] of parents.entries()) {
    ends.push(durations[index]! + Math.max(0, ...before.map((parent) => ends[parent]!)));
  }
  return Math.max(...ends);
}

const stepId = (index: number) => `s${index}`;

/** A small generator of random numbers with a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
