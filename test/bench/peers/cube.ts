import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HttpClient } from '../http-client.ts';
import { type Answered, type Answering, type Asking, commonRows, limitOf, type QuestionName } from './answering.ts';
import { PeerProcess } from './peer-process.ts';

/** What `cube-server.ts` requires. The newest version of Cube does not run without a binary that npm does not carry. */
const VERSION = '0.35.81';
const PACKAGES = [
  ...['server-core', 'api-gateway', 'schema-compiler', 'base-driver'].map(
    (name) => `@cubejs-backend/${name}@${VERSION}`,
  ),
  '@duckdb/node-api@1.5.6-r.1',
  'express@4',
];

/** Nothing here takes as long. */
const MAX_WAIT_MS = 120_000;

const AMOUNT = ['orders.amount'];
const MONTHS = { timeDimensions: [{ dimension: 'orders.day', granularity: 'month' }] };

/** Each question, and the members of its rows in the common order. */
const QUERIES: Record<QuestionName, { query: object; columns: string[] }> = {
  'group by one column': {
    query: { dimensions: ['orders.region'], measures: AMOUNT },
    columns: ['orders.region', 'orders.amount'],
  },
  'month × segment over a join': {
    query: { ...MONTHS, dimensions: ['buyers.segment'], measures: AMOUNT },
    columns: ['orders.day.month', 'buyers.segment', 'orders.amount'],
  },
  'top ten customers of a filter': {
    query: {
      dimensions: ['orders.customer'],
      measures: AMOUNT,
      filters: [
        { member: 'orders.status', operator: 'equals', values: ['returned'] },
        { member: 'orders.product', operator: 'equals', values: ['7'] },
      ],
      order: { 'orders.amount': 'desc' },
    },
    columns: ['orders.customer', 'orders.amount'],
  },
  'customers by month, each counted once': {
    query: { ...MONTHS, measures: ['orders.customers'] },
    columns: ['orders.day.month', 'orders.customers'],
  },
};

/** Cube over the native file, with its cache in memory. */
export class Cube implements Answering {
  readonly name = `Cube ${VERSION}`;
  readonly #http = new HttpClient();
  readonly #server: PeerProcess;
  #url: string | undefined;
  /** Cube has no way to pass over its cache, so a fresh question is one with a limit that nothing has had. */
  #fresh = 1_000;

  /** Throws an error with the install command if the packages are not in the folder. */
  static find(folder: string, file: string): Cube {
    const packages = ['@cubejs-backend/server-core', '@cubejs-backend/api-gateway', '@duckdb/node-api', 'express'];
    const missing = packages.find((name) => !existsSync(join(folder, 'node_modules', name)));
    const install = `npm install --ignore-scripts --prefix ${folder} ${PACKAGES.join(' ')}`;
    if (missing) throw new Error(`${folder} has no ${missing}. Install the packages:\n\n  ${install}`);
    const { version } = JSON.parse(
      readFileSync(join(folder, 'node_modules/@cubejs-backend/server-core/package.json'), 'utf8'),
    ) as { version: string };
    if (version !== VERSION) throw new Error(`${folder} has Cube ${version}. Install the packages:\n\n  ${install}`);
    return new Cube(folder, file);
  }

  private constructor(folder: string, file: string) {
    const script = join(import.meta.dirname, 'cube-server.ts');
    const env = { CUBEJS_DB_QUERY_LIMIT: '200000', NODE_ENV: 'production' };
    this.#server = new PeerProcess([process.execPath, script, resolve(folder), file], env, (line) =>
      line.startsWith('http://') ? line : undefined,
    );
  }

  async start(): Promise<void> {
    this.#url ??= await this.#server.start();
  }

  async stop(): Promise<void> {
    this.#url = undefined;
    this.#http.close();
    await this.#server.stop();
  }

  async ask(name: QuestionName, { fresh, variant }: Asking): Promise<Answered> {
    const { query, columns } = QUERIES[name]!;
    if (fresh) this.#fresh += 1;
    const { ms, data } = await this.#load({ ...query, limit: limitOf(name, fresh ? this.#fresh : variant) });
    return {
      ms,
      rows: commonRows(
        name,
        data.map((row) => columns.map((column) => row[column])),
      ),
    };
  }

  /** As JSON, since Cube writes no CSV. */
  async manyRows(count: number): Promise<number> {
    const dimensions = ['id', 'customer', 'day', 'amounts', 'region'].map((name) => `orders.${name}`);
    this.#fresh += 1;
    const { ms, data } = await this.#load({ dimensions, limit: count + this.#fresh });
    if (data.length < count) throw new Error(`Cube answered ${data.length} rows`);
    return ms;
  }

  /** Repeats the request while Cube says that it still computes, as its clients do. */
  async #load(query: object): Promise<{ ms: number; data: Record<string, unknown>[] }> {
    for (let waitedMs = 0; ; ) {
      const { status, text, ms } = await this.#http.send('POST', `${this.#url}/cubejs-api/v1/load`, { query });
      const { data, error } = JSON.parse(text) as { data?: Record<string, unknown>[]; error?: string };
      if (data) return { ms: waitedMs + ms, data };
      if (error !== 'Continue wait' || waitedMs > MAX_WAIT_MS) throw new Error(`Cube answered ${status}: ${error}`);
      waitedMs += ms;
    }
  }
}
