import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assemblyOf } from '../../../infra/assembly.ts';
import { type Settings, settings } from '../../../infra/settings.ts';
import { copyDataDirectory } from '../../../packages/local-cloud/testing/index.ts';
import { AiProvider } from '../ai-provider.ts';
import { DnsServer } from '../dns-server.ts';
import { licencePublicKeys } from '../licences.ts';
import { platformSettings } from '../platform-settings.ts';
import type { Deployed, PostgresAccess } from './ask.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Speeds up what a real deployment does slowly on purpose. */
const TEST_SETTINGS = {
  ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8,::1/128',
  // Every other gap is long enough to do something in between; a queue rounds one second up to two.
  WEBHOOK_BACKOFF_SECONDS: '0,1,0,1',
  PASSWORD_COST: '10',
  LICENCE_PUBLIC_KEYS: licencePublicKeys(),
  STEP_CONTAINERS: 'on',
  MAIL_FROM: 'Analytics <no-reply@mail.example.com>',
  APP_URL: 'https://app.example.com',
  AI_PROVIDER: 'openai-compatible',
  AI_MODEL: 'scripted',
  AI_EMBEDDING_MODEL: 'scripted-vectors',
  SSO_RETURN_URLS: 'http://localhost:3000/signed-in,http://localhost:3000/other?app=2',
  PASSKEY_RP_ID: 'localhost',
  PASSKEY_ORIGINS: 'http://localhost:3000',
};

/**
 * What the tests of a run share: the bundles, deployments of them, a Postgres server, and turns on what only one file
 * at a time may use. The processes of the tests ask for it by HTTP; it is made at the first request, in processes of
 * its own, while tests that need none of it run.
 */
export class SharedSetup {
  readonly url: string;
  readonly #server: Server;
  readonly #folder = mkdtempSync(join(tmpdir(), 'analytics-test-'));
  readonly #children: ChildProcess[] = [];
  readonly #made = new Map<string, Promise<unknown>>();
  #provider: AiProvider | undefined;
  #dns: DnsServer | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request.url!, response));
  }

  static async open(): Promise<SharedSetup> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SharedSetup(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#provider?.close();
    this.#dns?.close();
    await Promise.all(this.#children.map(ended));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answer(path: string, response: ServerResponse): Promise<void> {
    const [, kind, name = ''] = path.split('/');
    // A connection that is kept may end just as the next request is sent on it.
    response.setHeader('connection', 'close');
    try {
      if (kind === 'turns') return await this.#giveTurn(name, response);
      const made = await this.#shared(kind, name);
      response.end(JSON.stringify(made ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error instanceof Error ? error.stack : error));
    }
  }

  #shared(kind: string | undefined, name: string): Promise<unknown> {
    if (kind === 'bundles') return this.#bundles();
    if (kind === 'clients') return this.#clients();
    if (kind === 'platform') return this.#platform();
    if (kind === 'postgres') return this.#databases();
    return kind === 'assemblies' ? this.#assembly(name) : this.#deployment(name);
  }

  #once<T>(what: string, make: () => Promise<T>): Promise<T> {
    const made = (this.#made.get(what) as Promise<T> | undefined) ?? make();
    this.#made.set(what, made);
    return made;
  }

  #bundles(): Promise<void> {
    return this.#once('bundles', async () => {
      await promisify(execFile)(process.execPath, ['infra/build/index.ts', '--if-changed'], { cwd: ROOT });
    });
  }

  /** What `npm run clients` makes; the files of tests that use it would replace it under each other. */
  #clients(): Promise<void> {
    return this.#once('clients', async () => {
      await promisify(execFile)(process.execPath, ['infra/clients/generate.ts'], { cwd: ROOT });
    });
  }

  /** The data of a platform that `npm start` has deployed and seeded. */
  #platform(): Promise<string> {
    return this.#once('platform', async () => {
      await this.#bundles();
      const chosen = platformSettings();
      return this.#prepared('platform', await assemblyOf(chosen), chosen, 'seeded');
    });
  }

  /**
   * A folder with the data of a deployment, to be copied. A copy is deployed again, which changes only what contains
   * the address of the cloud.
   */
  async #prepared(name: string, assembly: string, chosen: Settings, ...seeded: ['seeded'] | []): Promise<string> {
    const folder = join(this.#folder, `prepared-${name}`);
    const program = join(import.meta.dirname, 'prepare-process.ts');
    const options = [folder, assembly, JSON.stringify(chosen), ...seeded];
    await promisify(execFile)(process.execPath, [program, ...options], { cwd: ROOT });
    return folder;
  }

  /** One server for all files that need a database and nothing of the server itself. */
  #databases(): Promise<PostgresAccess> {
    return this.#once('postgres', () => this.#forked<PostgresAccess>('postgres-process.ts'));
  }

  /** Starts a program that runs until this process ends, and returns what it says when it is ready. */
  async #forked<T>(program: string, ...options: string[]): Promise<T> {
    // They serve short requests, which make much garbage that is collected seldom and at once.
    const child = fork(join(import.meta.dirname, program), options, { execArgv: ['--max-semi-space-size=64'] });
    this.#children.push(child);
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`))),
    ]);
    return message as T;
  }

  #assembly(name: string): Promise<string> {
    return this.#once(`assembly ${name}`, async () => {
      await this.#bundles();
      const folder = join(this.#folder, `assembly-${name}`);
      const program = join(import.meta.dirname, 'synthesis-process.ts');
      await promisify(execFile)(process.execPath, [program, folder, name], { cwd: ROOT });
      return folder;
    });
  }

  #template(): Promise<{ prepared: string; assembly: string; aiProvider: string; dns: string }> {
    return this.#once('template', async () => {
      await this.#bundles();
      this.#provider = await AiProvider.open();
      const aiProvider = this.#provider.url;
      this.#dns = await DnsServer.open();
      const chosen = settings({ ...TEST_SETTINGS, AI_BASE_URL: aiProvider, SSO_DNS_SERVER: this.#dns.address });
      const assembly = await assemblyOf(chosen);
      return {
        prepared: await this.#prepared('tests', assembly, chosen),
        assembly,
        aiProvider,
        dns: this.#dns.address,
      };
    });
  }

  #deployment(name: string): Promise<Deployed> {
    return this.#once(`deployment ${name}`, async () => {
      const { prepared, assembly, aiProvider, dns } = await this.#template();
      const folder = join(this.#folder, name);
      await copyDataDirectory(prepared, folder);
      // Tests of failures kill and break processes.
      const functions = name === 'failing' ? 'processes' : 'hosted';
      const { endpoint } = await this.#forked<{ endpoint: string }>(
        'deployment-process.ts',
        folder,
        assembly,
        functions,
      );
      return { endpoint, aiProvider, dns };
    });
  }

  /** The reply begins when the turn does, and the turn lasts until the asking process hangs up. */
  async #giveTurn(name: string, response: ServerResponse): Promise<void> {
    const before = this.#made.get(`turn ${name}`);
    const over = once(response, 'close');
    this.#made.set(`turn ${name}`, Promise.all([before, over]));
    await before;
    response.flushHeaders();
  }
}

/** Such a program ends when this process disconnects. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (child.connected) child.disconnect();
  await exited;
}
