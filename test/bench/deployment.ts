import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Credentials } from '../../infra/seed.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = [
  'clients',
  'docs',
  'events',
  'functions',
  'shared',
  'infra',
  'clients',
  'packages',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * A copy of the sources without build artefacts, with a platform of its own started from it: whatever runs from the
 * work tree neither disturbs the figures nor is disturbed.
 */
export class Deployment {
  readonly root: string;
  readonly #folder: string;
  #process: ChildProcess | undefined;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'analytics-bench-'));
    this.root = join(this.#folder, 'platform');
    mkdirSync(this.root);
    for (const source of SOURCES) cpSync(join(ROOT, source), join(this.root, source), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(this.root, 'node_modules'), 'junction');
  }

  /** Credentials and addresses, once it has been started. */
  get credentials(): Credentials {
    return JSON.parse(readFileSync(join(this.#folder, 'data/credentials.json'), 'utf8')) as Credentials;
  }

  /** A new folder beside the platform's that goes away with it. */
  scratch(name: string): string {
    const path = join(this.#folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Does what `npm start` does and answers how many milliseconds passed until it was ready. */
  async start(): Promise<number> {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(this.root, 'infra/start.ts')], {
      cwd: this.root,
      env: {
        ...process.env,
        PORT: '0',
        LOCAL_DATA_DIR: join(this.#folder, 'data'),
        // What is measured is what the platform can do, and not what it allows.
        WORKSPACE_STARTS_PER_MINUTE: '99999',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    const said: string[] = [];
    const ready = Promise.withResolvers<void>();
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on('line', (line) => {
        said.push(line);
        if (line.startsWith('Ready after')) ready.resolve();
      });
    }
    child.once('exit', (code) => ready.reject(new Error(`the platform ended with ${code}:\n${said.join('\n')}`)));
    await ready.promise;
    return performance.now() - startedAt;
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
