import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { HttpClient, type Reply } from '../http-client.ts';
import { type Answered, type Answering, type Asking, commonRows, limitOf, type QuestionName } from './answering.ts';
import { PeerProcess } from './peer-process.ts';
import { reasonOf } from './python.ts';

const run = promisify(execFile);

/** Beside Superset: what its 6.1 imports and does not name, in versions that it works with. */
const PACKAGES = [
  'apache-superset==6.1.0',
  'duckdb==1.5.6',
  'duckdb-engine==0.17.0',
  'flask-caching==2.3.1',
  'cachetools',
  'rich',
];
const ADMIN = { username: 'admin', password: 'of a benchmark' };

const AMOUNT = { expressionType: 'SQL', sqlExpression: 'SUM(amount)', label: 'amount' };
const CUSTOMERS = { expressionType: 'SQL', sqlExpression: 'COUNT(DISTINCT customer)', label: 'n' };
const MONTH = {
  expressionType: 'SQL',
  sqlExpression: 'day',
  label: 'month',
  columnType: 'BASE_AXIS',
  timeGrain: 'P1M',
};

/** Each question as a chart asks it, and the columns of its rows in the common order. */
const QUERIES: Record<QuestionName, { dataset: 'orders' | 'joined'; query: object; columns: string[] }> = {
  'group by one column': {
    dataset: 'orders',
    query: { columns: ['region'], metrics: [AMOUNT] },
    columns: ['region', 'amount'],
  },
  'month × segment over a join': {
    dataset: 'joined',
    query: { columns: [MONTH, 'segment'], metrics: [AMOUNT] },
    columns: ['month', 'segment', 'amount'],
  },
  'top ten customers of a filter': {
    dataset: 'orders',
    query: {
      columns: ['customer'],
      metrics: [AMOUNT],
      filters: [
        { col: 'status', op: '==', val: 'returned' },
        { col: 'product', op: '==', val: 7 },
      ],
      orderby: [[AMOUNT, false]],
    },
    columns: ['customer', 'amount'],
  },
  'customers by month, each counted once': {
    dataset: 'orders',
    query: { columns: [MONTH], metrics: [CUSTOMERS] },
    columns: ['month', 'n'],
  },
};
const JOINED = 'SELECT o.*, b.segment FROM orders o LEFT JOIN order_buyers b ON b.id = o.customer';

/** Superset over the native file, with two processes of eight threads and its cache in files. */
export class Superset implements Answering {
  readonly name: string;
  readonly #http = new HttpClient();
  readonly #server: PeerProcess;
  readonly #python: string;
  readonly #env: Record<string, string>;
  readonly #file: string;
  #url: string | undefined;
  #authorization: Record<string, string> = {};
  #datasets: Record<'orders' | 'joined', number> | undefined;

  /** Throws an error with the install command if a package is missing. */
  static async find(python: string, file: string, folder: string): Promise<Superset> {
    try {
      const script =
        'import duckdb_engine, gunicorn, rich, cachetools\nfrom importlib.metadata import version\nprint(version("apache-superset"))';
      const { stdout } = await run(python, ['-W', 'ignore', '-c', script]);
      return new Superset(python, stdout.trim(), file, folder);
    } catch (cause) {
      const install = `python3 -m venv superset && superset/bin/pip install ${PACKAGES.map((name) => `'${name}'`).join(' ')}`;
      throw new Error(
        `${python} cannot import Superset and what it needs: ${reasonOf(cause)}\n\nInstall the packages:\n\n  ${install}`,
        { cause },
      );
    }
  }

  private constructor(python: string, version: string, file: string, folder: string) {
    this.name = `Superset ${version}`;
    this.#python = python;
    this.#file = file;
    this.#env = {
      SUPERSET_HOME: folder,
      SUPERSET_CONFIG_PATH: join(import.meta.dirname, 'superset_config.py'),
      FLASK_APP: 'superset.app:create_app()',
      PYTHONWARNINGS: 'ignore',
    };
    const server = [
      '-m',
      'gunicorn',
      '-w',
      '2',
      '-k',
      'gthread',
      '--threads',
      '8',
      '--timeout',
      '120',
      '--keep-alive',
      '75',
    ];
    this.#server = new PeerProcess(
      [python, ...server, '--no-control-socket', '-b', '127.0.0.1:0', 'superset.app:create_app()'],
      this.#env,
      (line) => /Listening at: (http:\S+)/.exec(line)?.[1],
    );
  }

  async start(): Promise<void> {
    if (this.#url) return;
    if (!this.#datasets) await this.#setUp();
    const url = await this.#server.start();
    // The port is open before the application is loaded.
    await this.#http.send('GET', `${url}/health`);
    this.#url = url;
    this.#datasets ??= await this.#newDatasets();
  }

  async stop(): Promise<void> {
    this.#url = undefined;
    this.#http.close();
    await this.#server.stop();
  }

  async ask(name: QuestionName, { fresh, variant }: Asking): Promise<Answered> {
    const { dataset, query, columns } = QUERIES[name]!;
    const limited = { ...query, row_limit: limitOf(name, variant) };
    const { ms, text } = await this.#chartData(dataset, limited, { force: fresh, result_format: 'json' });
    const { result } = JSON.parse(text) as { result: { data: Record<string, unknown>[]; is_cached: boolean | null }[] };
    const { data, is_cached: cached } = result[0]!;
    if (fresh && cached) throw new Error('Superset answered from its cache');
    return {
      ms,
      rows: commonRows(
        name,
        data.map((row) => columns.map((column) => row[column])),
      ),
    };
  }

  async manyRows(count: number): Promise<number> {
    const columns = ['id', 'customer', 'day', 'amount', 'region'];
    const settings = { force: true, result_format: 'csv' };
    const { ms, text } = await this.#chartData('orders', { columns, row_limit: count }, settings);
    const lines = text.trimEnd().split('\n').length;
    if (lines < count) throw new Error(`Superset answered ${lines} lines`);
    return ms;
  }

  async #chartData(dataset: 'orders' | 'joined', query: object, settings: object): Promise<Reply> {
    return this.#call('/api/v1/chart/data', {
      ...settings,
      result_type: 'full',
      datasource: { id: this.#datasets![dataset], type: 'table' },
      queries: [query],
    });
  }

  async #setUp(): Promise<void> {
    const superset = join(dirname(this.#python), 'superset');
    const { username, password } = ADMIN;
    const admin = ['--username', username, '--password', password, '--firstname', 'A', '--lastname', 'B'];
    for (const args of [
      ['db', 'upgrade'],
      ['fab', 'create-admin', ...admin, '--email', 'admin@example.com'],
      ['init'],
    ]) {
      await run(superset, args, { env: { ...process.env, ...this.#env }, maxBuffer: 2 ** 26 });
    }
  }

  async #newDatasets(): Promise<Record<'orders' | 'joined', number>> {
    const { access_token: token } = await this.#created<{ access_token: string }>('/api/v1/security/login', {
      ...ADMIN,
      provider: 'db',
      refresh: false,
    });
    this.#authorization = { authorization: `Bearer ${token}` };
    const database = await this.#created<{ id: number }>('/api/v1/database/', {
      database_name: 'Orders',
      sqlalchemy_uri: `duckdb:///${this.#file}?access_mode=READ_ONLY`,
    });
    const dataset = async (table_name: string, sql?: string) =>
      (
        await this.#created<{ id: number }>('/api/v1/dataset/', {
          database: database.id,
          schema: 'main',
          table_name,
          ...(sql && { sql }),
        })
      ).id;
    return { orders: await dataset('orders'), joined: await dataset('joined', JOINED) };
  }

  async #created<T>(path: string, body: object): Promise<T> {
    return JSON.parse((await this.#call(path, body)).text) as T;
  }

  async #call(path: string, body: object): Promise<Reply> {
    const reply = await this.#http.send('POST', this.#url + path, body, this.#authorization);
    if (reply.status >= 300) throw new Error(`Superset answered ${path} with ${reply.status}: ${reply.text}`);
    return reply;
  }
}
