import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '../../infra/seed.ts';
import type { FaultRule } from '../../packages/local-cloud/index.ts';
import { call } from './http.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The platform as `npm start` runs it: a process that can be killed and started again on the same data. */
export class StartedPlatform {
  readonly #dataDir: string;
  #process: ChildProcess | undefined;
  credentials!: Credentials;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Resolves when the platform says that it is ready; rejects with what it printed when it ends before. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['infra/start.ts'], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', LOCAL_DATA_DIR: this.#dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        printed += chunk.toString('utf8');
        if (printed.includes('Ready after')) resolve();
      };
      child.stdout!.on('data', read);
      child.stderr!.on('data', read);
      child.once('exit', (code) => reject(new Error(`the platform ended with ${code}:\n${printed}`)));
    });
    const text = await readFile(join(this.#dataDir, 'credentials.json'), 'utf8');
    this.credentials = JSON.parse(text) as Credentials;
  }

  /** Ends it as a power cut of the program would: at once, wherever it is. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Makes the cloud misbehave by these rules from now on; by none when the list is empty. */
  async misbehave(rules: FaultRule[]): Promise<void> {
    const reply = await call(this.credentials.baseUrl, 'PUT', '/_local/faults', { body: rules });
    if (reply.status !== 200)
      throw new Error(`the issue switch answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** Sends a request as a client does: when the service says that it is busy, it is asked again. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of every shape
  async request<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    const { baseUrl, apiKey } = this.credentials;
    const send = () => call(baseUrl, method, path, { token: apiKey, ...(body === undefined ? {} : { body }) });
    let reply = await send();
    for (let tries = 1; reply.status === 503 && tries < 20; tries += 1) reply = await send();
    if (reply.status >= 400)
      throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body as T;
  }
}
