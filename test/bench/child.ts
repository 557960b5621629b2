import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs a program of Node's and answers what it printed as JSON. Throws with its complaints when it fails. */
export async function runChild<T>(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<T> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const said: string[] = [];
  const complaints: string[] = [];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  child.stderr.on('data', (chunk) => complaints.push(String(chunk)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${complaints.join('')}`);
  return JSON.parse(said.join('')) as T;
}

/** Starts a server in a process of its own; it prints its address as its first line. */
export async function startServer(args: readonly string[]): Promise<{ url: string; stop(): void }> {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { url, stop: () => child.kill() };
}
