import { randomUUID } from 'node:crypto';
import type { Deployment } from '../deployment.ts';
import { QUESTIONS } from '../orders.ts';
import { Platform } from '../platform.ts';
import { type Answered, type Answering, type Asking, commonRows, limitOf, type QuestionName } from './answering.ts';

/** The platform's own answers, over a model. */
export class OwnAnswers implements Answering {
  readonly name = 'the platform';
  readonly #deployment: Deployment;
  readonly #model: string;
  #platform: Platform;
  #isRunning = true;
  #tables = 0;

  /** The deployment is running. */
  constructor(deployment: Deployment, model: string) {
    this.#deployment = deployment;
    this.#model = model;
    this.#platform = new Platform(deployment);
  }

  async start(): Promise<void> {
    if (this.#isRunning) return;
    await this.#deployment.start();
    this.#platform = new Platform(this.#deployment);
    this.#isRunning = true;
  }

  async stop(): Promise<void> {
    this.#platform.close();
    await this.#deployment.stop();
    this.#isRunning = false;
  }

  async ask(name: QuestionName, { fresh, variant }: Asking): Promise<Answered> {
    const { question } = QUESTIONS[name]!;
    const body = { ...question, limit: limitOf(name, variant), maxAgeSeconds: fresh ? 0 : 3600, timeoutMs: 25_000 };
    const { status, text, ms } = await this.#platform.http.send('POST', this.#url(`${this.#model}/query`), body);
    if (status !== 200) throw new Error(`the platform answered ${status}: ${text}`);
    return { ms, rows: commonRows(name, (JSON.parse(text) as { rows: unknown[][] }).rows) };
  }

  /** As the file of a dashboard's table, made and fetched. */
  async manyRows(count: number): Promise<number> {
    // Another number of rows each time, because equal statements are cached.
    const limit = count + this.#tables;
    const dashboard = await this.#newTable(`SELECT id, customer, day, amount, region FROM orders LIMIT ${limit}`);
    const headers = { accept: 'application/json' };
    const made = await this.#platform.http.send('POST', this.#url(`${dashboard}/export`), { format: 'csv' }, headers);
    if (made.status !== 200) throw new Error(`the export answered ${made.status}: ${made.text}`);
    const { downloadUrl } = JSON.parse(made.text) as { downloadUrl: string };
    const fetched = await this.#platform.http.send('GET', downloadUrl);
    const lines = fetched.text.trimEnd().split('\n').length;
    if (lines < count) throw new Error(`the export has ${lines} lines: ${fetched.text.slice(0, 500)}`);
    return made.ms + fetched.ms;
  }

  #url(path: string): string {
    return this.#platform.endpoint + path;
  }

  /** The path of a dashboard with the rows of a statement as its only card. */
  async #newTable(sql: string): Promise<string> {
    this.#tables += 1;
    const name = `Rows ${randomUUID()}`;
    const saved = await this.#platform.call<{ id: string }>('POST', '/api/saved-queries', { name, sql });
    const { id } = await this.#platform.call<{ id: string }>('POST', '/api/dashboards', { name });
    const chartSpec = {
      version: 1,
      query: { source: { kind: 'savedQuery', id: saved.id } },
      mark: { type: 'table' },
    };
    const card = { cardType: 'table', position: { x: 0, y: 0, w: 12, h: 6 }, chartSpec };
    await this.#platform.call('POST', `/api/dashboards/${id}/cards`, card);
    return `/api/dashboards/${id}`;
  }
}
