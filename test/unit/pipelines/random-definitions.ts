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
 * Steps of every type that wait for each other at random: blocks over given and over asked-for items, conditions,
 * routes whose ports go different ways, statements that fail, files that are not there yet, loads of one dataset.
 */
export function randomDefinition(random: () => number, sourceId: string, dataset: string): RandomDefinition {
  const builder = new DefinitionBuilder(random, sourceId, dataset);
  const steps = 3 + Math.floor(random() * 6);
  for (let number = 0; number < steps; number++) builder.add(number);
  return builder.finish();
}

class DefinitionBuilder {
  readonly #random: () => number;
  readonly #sourceId: string;
  readonly #dataset: string;
  readonly #files: RandomDefinition['files'] = [];
  readonly #ordered: Step[] = [];
  readonly #forEach: ForEach[] = [];

  constructor(random: () => number, sourceId: string, dataset: string) {
    this.#random = random;
    this.#sourceId = sourceId;
    this.#dataset = dataset;
  }

  /** Adds a step of a random type, or a block of steps. */
  add(number: number): void {
    const id = `s${number}`;
    const kind = this.#random();
    if (kind < 0.12) this.#addExtract(id);
    else if (kind < 0.27 && this.#withRows().length > 0) this.#addRoute(id);
    else if (kind < 0.47 && this.#forEach.length < 2) this.#addBlock(number);
    else if (kind < 0.57 && this.#withRows().length > 0) this.#addLoad(id);
    else this.#addTransform(id);
  }

  finish(): RandomDefinition {
    this.#addLoad('keep');
    const parameters: Dag['parameters'] = [
      { name: WANTED, type: 'boolean', default: false },
      { name: LANE, type: 'string', default: 'slow' },
      { name: ITEMS, type: 'list', default: [] },
    ];
    const shuffled = this.#ordered.map((step) => ({ step, at: this.#random() })).sort((a, b) => a.at - b.at);
    const dag: Dag = { version: 1, parameters, forEach: this.#forEach, steps: shuffled.map(({ step }) => step) };
    return { dag, ordered: this.#ordered, files: this.#files, dataset: this.#dataset };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)]!;
  }

  #withRows(): Step[] {
    return this.#ordered.filter(({ type }) => type !== 'load');
  }

  #when(): { when?: StepWhen } {
    if (!this.#chance(0.2)) return {};
    if (this.#chance(0.5)) return { when: { param: WANTED, op: this.#pick(['truthy', 'falsy'] as const) } };
    return { when: { param: LANE, op: this.#pick(['in', 'not_in'] as const), value: ['fast', 'other'] } };
  }

  /** Some of the given steps, and the port of each that is a route. */
  #edges(from: readonly Step[], limit: number): Pick<Step, 'dependsOn' | 'fromPorts'> {
    const dependsOn = [...new Set(Array.from({ length: this.#below(limit) + 1 }, () => this.#pick(from).id))];
    const routes = from.filter(({ id, type }) => type === 'route' && dependsOn.includes(id));
    const fromPorts = Object.fromEntries(routes.map(({ id }) => [id, this.#chance(0.5) ? LOW_PORT : REST_PORT]));
    return { dependsOn, ...(routes.length > 0 ? { fromPorts } : {}) };
  }

  #addExtract(id: string): void {
    const path = `${id}.csv`;
    const late = this.#chance(0.4);
    this.#files.push({ path, late });
    const config = { sourceId: this.#sourceId, object: { path } };
    this.#ordered.push({ id, type: 'extract', config, retry: late ? ONCE : RETRY });
  }

  #addRoute(id: string): void {
    const edges = this.#edges(this.#withRows(), 2);
    const config = {
      input: edges.dependsOn![0]!,
      routes: [{ port: LOW_PORT, condition: "t < '8'" }],
      defaultPort: REST_PORT,
    };
    this.#ordered.push({ id, type: 'route', config, ...edges, ...this.#when(), retry: RETRY });
  }

  #addBlock(number: number): void {
    const id = `b${number}`;
    const steps = Array.from({ length: 1 + this.#below(2) }, (_step, index) => `s${number}-${index}`);
    for (const step of steps) this.#addTransform(step, id);
    const count = this.#chance(0.1) ? 12 : 1 + this.#below(3);
    const given = Array.from({ length: count }, (_item, index) => `g${index}`);
    this.#forEach.push({ id, items: this.#chance(0.4) ? `{{ params.${ITEMS} }}` : given, steps });
  }

  #addLoad(id: string): void {
    this.#ordered.push(loadOf(id, this.#edges(this.#withRows(), 2), this.#dataset));
  }

  #addTransform(id: string, block?: string): void {
    const edges = this.#ordered.length > 0 && this.#chance(0.85) ? this.#edges(this.#ordered, 3) : {};
    const readable = (edges.dependsOn ?? []).filter((one) => this.#withRows().some((step) => step.id === one));
    const read = readable.filter(() => this.#chance(0.8));
    const inputs = Object.fromEntries(read.map((one, index) => [`i${index}`, one]));
    const work = this.#chance(0.06)
      ? { config: { sql: FAILING, inputs: {} }, retry: { ...RETRY, maxAttempts: 1 + this.#below(2) } }
      : { config: { sql: statementOf(id, Object.keys(inputs), block), inputs }, retry: RETRY };
    this.#ordered.push({ id, type: 'transform_sql', ...work, ...edges, ...this.#when() });
  }
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

/** Rows that show what they were made from: the step, its run and item, and all rows of each input. */
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
