import { createHash } from 'node:crypto';
import type { Dag, ForEach, Step, StepWhen } from '../../../shared/domains/pipelines/definition/dag.ts';

const RETRY = { maxAttempts: 10, initialIntervalMs: 100, backoffCoefficient: 1 };
const ONCE = { maxAttempts: 1 };
/** Each statement makes so many rows. */
const ROWS_OF_A_STEP = 2;
/** Every route sends the rows below '8' to the one, all others to the other port. */
export const LOW_PORT = 'low';
const REST_PORT = 'rest';
export const isLow = (row: string): boolean => row < '8';

/** A definition, and what is needed to say what its runs come to. */
export interface RandomDefinition {
  dag: Dag;
  /** Its steps, each after those that it waits for; the definition has them in any order. */
  ordered: Step[];
  /** Files that its extracts read; those that are late come only after a run has failed for want of them. */
  files: { path: string; late: boolean }[];
  dataset: string;
}

/** The rows of a file are known by its path. */
export const fileRows = (path: string): string[] => [`${path}:a`, `${path}:b`].map(digestOf);
export const fileText = (path: string): string => ['t', ...fileRows(path), ''].join('\n');
export const digestOf = (text: string): string => createHash('md5').update(text).digest('hex');

export const WANTED = 'wanted';
export const LANE = 'lane';
export const ITEMS = 'items';

/** Values for a run of any definition. */
export function randomParameters(random: () => number): Record<string, boolean | string | string[]> {
  const items = Array.from({ length: Math.floor(random() * 4) }, (_item, index) => `p${index}`);
  return { [WANTED]: random() < 0.6, [LANE]: random() < 0.5 ? 'fast' : 'slow', [ITEMS]: items };
}

/**
 * Steps of every type that wait for each other at random: blocks over given and over asked-for items, conditions, routes whose
 * ports go different ways, statements that fail, files that are not there yet, loads of one dataset.
 */
export function randomDefinition(random: () => number, sourceId: string, dataset: string): RandomDefinition {
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (of: number) => random() < of;
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const files: RandomDefinition['files'] = [];
  const ordered: Step[] = [];
  const forEach: ForEach[] = [];
  const when = (): { when?: StepWhen } => {
    if (!chance(0.2)) return {};
    if (chance(0.5)) return { when: { param: WANTED, op: pick(['truthy', 'falsy'] as const) } };
    return { when: { param: LANE, op: pick(['in', 'not_in'] as const), value: ['fast', 'other'] } };
  };
  /** Some of the steps before, and the port of each that is a route. */
  const edges = (from: readonly Step[], most: number): Pick<Step, 'dependsOn' | 'fromPorts'> => {
    const dependsOn = [...new Set(Array.from({ length: below(most) + 1 }, () => pick(from).id))];
    const routes = from.filter(({ id, type }) => type === 'route' && dependsOn.includes(id));
    const fromPorts = Object.fromEntries(routes.map(({ id }) => [id, chance(0.5) ? LOW_PORT : REST_PORT]));
    return { dependsOn, ...(routes.length > 0 ? { fromPorts } : {}) };
  };
  const withRows = () => ordered.filter(({ type }) => type !== 'load');
  const transform = (id: string, block?: string): void => {
    const waits = ordered.length > 0 && chance(0.85) ? edges(ordered, 3) : {};
    const readable = (waits.dependsOn ?? []).filter((one) => withRows().some((step) => step.id === one));
    const read = readable.filter(() => chance(0.8));
    const inputs = Object.fromEntries(read.map((one, index) => [`i${index}`, one]));
    const work = chance(0.06)
      ? { config: { sql: FAILING, inputs: {} }, retry: { ...RETRY, maxAttempts: 1 + below(2) } }
      : { config: { sql: statementOf(id, Object.keys(inputs), block), inputs }, retry: RETRY };
    ordered.push({ id, type: 'transform_sql', ...work, ...waits, ...when() });
  };

  const steps = 3 + below(6);
  for (let number = 0; number < steps; number++) {
    const id = `s${number}`;
    const kind = random();
    if (kind < 0.12) {
      const path = `${id}.csv`;
      const late = chance(0.4);
      files.push({ path, late });
      ordered.push({ id, type: 'extract', config: { sourceId, object: { path } }, retry: late ? ONCE : RETRY });
    } else if (kind < 0.27 && withRows().length > 0) {
      const waits = edges(withRows(), 2);
      const config = {
        input: waits.dependsOn![0]!,
        routes: [{ port: LOW_PORT, condition: "t < '8'" }],
        defaultPort: REST_PORT,
      };
      ordered.push({ id, type: 'route', config, ...waits, ...when(), retry: RETRY });
    } else if (kind < 0.47 && forEach.length < 2) {
      const block = `b${number}`;
      const own = Array.from({ length: 1 + below(2) }, (_step, index) => `${id}-${index}`);
      for (const one of own) transform(one, block);
      const many = chance(0.1) ? 12 : 1 + below(3);
      const items = chance(0.4) ? `{{ params.${ITEMS} }}` : Array.from({ length: many }, (_item, index) => `g${index}`);
      forEach.push({ id: block, items, steps: own });
    } else if (kind < 0.57 && withRows().length > 0) {
      ordered.push(loadOf(id, edges(withRows(), 2), dataset));
    } else transform(id);
  }
  ordered.push(loadOf('keep', edges(withRows(), 2), dataset));
  const parameters: Dag['parameters'] = [
    { name: WANTED, type: 'boolean', default: false },
    { name: LANE, type: 'string', default: 'slow' },
    { name: ITEMS, type: 'list', default: [] },
  ];
  const shuffled = ordered.map((step) => ({ step, at: random() })).sort((a, b) => a.at - b.at);
  const dag: Dag = { version: 1, parameters, forEach, steps: shuffled.map(({ step }) => step) };
  return { dag, ordered, files, dataset };
}

function loadOf(id: string, waits: Pick<Step, 'dependsOn' | 'fromPorts'>, dataset: string): Step {
  const target = { kind: 'dataset', name: dataset };
  return {
    id,
    type: 'load',
    config: { input: waits.dependsOn![0]!, target, mode: 'append' },
    ...waits,
    retry: RETRY,
  };
}

/** A statement that no attempt can do. */
export const FAILING = "SELECT CAST('no number ' || {{ run.id }} AS INTEGER)::VARCHAR AS t";

/** Rows that tell of what they were made: the step, its run and item, and all rows of each input. */
function statementOf(id: string, inputs: readonly string[], block: string | undefined): string {
  const item = block ? `{{ forEach.${block}.item }}` : "''";
  const read = inputs.map((name) => ` || '|' || coalesce((SELECT string_agg(t, ',' ORDER BY t) FROM ${name}), '')`);
  const rows = Array.from({ length: ROWS_OF_A_STEP }, (_row, index) => `(${index})`).join(', ');
  return `SELECT md5('${id}|' || {{ run.id }} || '|' || ${item}${read.join('')} || '#' || r.n) AS t FROM (VALUES ${rows}) r(n)`;
}

/** What `statementOf` comes to. */
export function rowsMadeBy(id: string, runId: string, item: string, inputs: readonly (readonly string[])[]): string[] {
  const read = inputs.map((rows) => `|${rows.toSorted().join(',')}`).join('');
  return Array.from({ length: ROWS_OF_A_STEP }, (_row, index) => digestOf(`${id}|${runId}|${item}${read}#${index}`));
}
