import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A server of another product. */
export class PeerProcess {
  readonly #command: readonly string[];
  readonly #env: Record<string, string>;
  readonly #isReady: (line: string) => string | undefined;
  #child: ChildProcess | undefined;

  /** `isReady` finds the address in the line that says that the server listens. */
  constructor(command: readonly string[], env: Record<string, string>, isReady: (line: string) => string | undefined) {
    this.#command = command;
    this.#env = env;
    this.#isReady = isReady;
  }

  /** Its address. */
  async start(): Promise<string> {
    const [program, ...args] = this.#command;
    const child = spawn(program!, args, { env: { ...process.env, ...this.#env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const lines: string[] = [];
    const ready = Promise.withResolvers<string>();
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on('line', (line) => {
        if (lines.push(line) > 50) lines.shift();
        const url = this.#isReady(line);
        if (url) ready.resolve(url);
      });
    }
    child.once('error', ready.reject);
    child.once('exit', (code) => ready.reject(new Error(`${program} ended with ${code}:\n${lines.join('\n')}`)));
    return ready.promise;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}
