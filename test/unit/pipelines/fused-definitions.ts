import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';

/** A step that fails does so at once; one whose worker is lost is repeated. */
const RETRY = {
  maxAttempts: 6,
  initialIntervalMs: 100,
  backoffCoefficient: 1,
  nonRetryableErrors: ['SQL_ERROR', 'GATE_FAILED', 'SCHEMA_MISMATCH', 'CODE_ERROR'],
};
export const FILE = 'rows.csv';

export function randomFile(random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  const lines = Array.from({ length: 5 + below(40) }, (_line, index) => {
    const text = random() < 0.03 ? 'no number' : String(below(50));
    return `${index},${text},${below(10)},t${below(5)}`;
  });
  return `id,v,w,t\n${lines.join('\n')}\n`;
}

/**
 * Transforms that read each other at random, mostly the one before: filters, casts that fail on some rows, groups,
 * joins, recipes, statements that use the clock or ignore columns; steps with gates and conditions, blocks, routes,
 * code and loads. Every step leaves the columns `id`, `v`, `w` and `t`.
 */
export function randomFusedDag(random: () => number, sourceId: string, dataset: string): Dag {
  return new Builder(random, sourceId, dataset).build();
}

type Config = Record<string, unknown>;

class Builder {
  readonly #random: () => number;
  readonly #sourceId: string;
  readonly #dataset: string;
  readonly #steps: Step[] = [];
  #block: string[] | undefined;

  constructor(random: () => number, sourceId: string, dataset: string) {
    this.#random = random;
    this.#sourceId = sourceId;
    this.#dataset = dataset;
  }

  build(): Dag {
    const object = { path: FILE };
    this.#add('rows', 'extract', { sourceId: this.#sourceId, object }, []);
    const count = 2 + this.#below(6);
    for (let number = 0; number < count; number++) this.#addRandom(`s${number}`);
    const open = this.#steps.filter(({ id }) => !this.#steps.some((other) => other.dependsOn!.includes(id)));
    for (const { id } of open) this.#addLoad(`keep-${id}`, id);
    const blocks = this.#block ? [{ id: 'each', items: ['a', 'b'], steps: this.#block }] : [];
    const parameters: Dag['parameters'] = [{ name: 'wanted', type: 'boolean', default: true }];
    return { version: 1, steps: this.#steps, parameters, forEach: blocks };
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }

  #add(id: string, type: Step['type'], config: Config, dependsOn: string[], more: Partial<Step> = {}): void {
    this.#steps.push({ id, type, config, dependsOn, retry: RETRY, ...more });
  }

  /** Mostly the newest step, so that chains arise. */
  #before(): string {
    const readable = this.#steps.filter(({ type }) => type !== 'load' && type !== 'route');
    return (this.#chance(0.75) ? readable.at(-1)! : readable[this.#below(readable.length)]!).id;
  }

  #addRandom(id: string): void {
    const kind = this.#random();
    if (kind < 0.06) this.#addRoute(id);
    else if (kind < 0.1) this.#addCode(id);
    else if (kind < 0.2 && !this.#block) this.#addBlock(id);
    else this.#addTransform(id, this.#before());
  }

  #addRoute(id: string): void {
    const from = this.#before();
    this.#add(id, 'route', { routes: [{ port: 'low', condition: 'w < 5' }], defaultPort: 'rest' }, [from]);
    const config = { sql: 'SELECT id, v, w, t FROM input' };
    this.#add(`${id}-low`, 'transform_sql', config, [id], { fromPorts: { [id]: 'low' } });
  }

  #addCode(id: string): void {
    const code = 'function transform(rows) { return rows; }';
    this.#add(id, 'transform_code', { code }, [this.#before()]);
  }

  #addBlock(id: string): void {
    this.#block = [`${id}-0`, `${id}-1`];
    const from = this.#before();
    const first = { sql: 'SELECT id, v, w, {{ forEach.each.item }}::VARCHAR AS t FROM input' };
    this.#add(`${id}-0`, 'transform_sql', first, [from]);
    this.#addTransform(`${id}-1`, `${id}-0`);
  }

  #addTransform(id: string, from: string): void {
    const when = this.#chance(0.05) ? { when: { param: 'wanted', op: 'falsy' as const } } : {};
    const gates = this.#chance(0.15) ? { gates: [this.#gate()] } : {};
    const joins = this.#chance(0.15) && !this.#block?.includes(from) && from !== 'rows';
    const work = joins
      ? { inputs: { a: from, b: 'rows' }, sql: 'SELECT a.id, a.v, b.w, a.t FROM a JOIN b ON a.id = b.id' }
      : { inputs: { i: from }, ...this.#work() };
    this.#add(id, 'transform_sql', { ...work, ...gates }, joins ? [from, 'rows'] : [from], when);
  }

  #work(): Config {
    const works: Config[] = [
      { sql: 'SELECT id, v, w, t FROM i WHERE w % 2 = 0' },
      { sql: 'SELECT id, (TRY_CAST(v AS INTEGER) + 1)::VARCHAR AS v, w + 1 AS w, upper(t) AS t FROM i' },
      { sql: 'SELECT id, CAST(v AS INTEGER)::VARCHAR AS v, w, t FROM i' },
      { sql: "SELECT id, 'ignored' AS v, 0::BIGINT AS w, t FROM i" },
      { sql: 'SELECT w AS id, max(v) AS v, count(*) AS w, min(t) AS t FROM i GROUP BY w' },
      { sql: 'SELECT id, v, w, t FROM i ORDER BY id LIMIT 4' },
      { sql: "SELECT id, v, w, t FROM i WHERE now() > TIMESTAMPTZ '2020-01-01'" },
      { sql: 'SELECT id, v, w, t FROM i UNION ALL SELECT id + 100, v, w, t FROM i WHERE w > 5' },
      {
        ops: [
          { op: 'filter', condition: 'w < 8' },
          { op: 'derive', column: 't', expression: "t || '!'" },
        ],
      },
      {
        ops: [
          { op: 'dedupe', keys: ['t'] },
          { op: 'sort', by: [{ column: 'id' }] },
        ],
      },
      { ops: [{ op: 'assert', condition: 'w < 11' }] },
    ];
    return works[this.#below(works.length)]!;
  }

  #gate(): Config {
    const action = ['warn', 'fail', 'drop'][this.#below(3)]!;
    return { id: 'small', type: 'value_range', column: 'w', config: { max: 6 }, action };
  }

  #addLoad(id: string, from: string): void {
    const target = { kind: 'dataset', name: `${this.#dataset} ${id}` };
    const gates = this.#chance(0.3) ? { gates: [this.#gate()] } : {};
    const step = this.#steps.find((one) => one.id === from)!;
    const fromPorts = step.type === 'route' ? { fromPorts: { [from]: 'rest' } } : {};
    this.#add(id, 'load', { target, mode: 'append', ...gates }, [from], fromPorts);
  }
}
