import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { builtCommandLine } from '../../../support/built-client.ts';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface Given {
  env?: Record<string, string>;
  input?: string;
  /** Called with the program while it runs. */
  meanwhile?: (child: ReturnType<typeof spawn>) => void;
}

/** The program as a user of its own runs it: nothing of this machine's settings is seen. */
export async function userOf(api: Api) {
  const program = await builtCommandLine();
  const home = mkdtempSync(join(tmpdir(), 'analytics-cli-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const run = async (args: string[], { env, input = '', meanwhile }: Given = {}): Promise<Ended> => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH ?? '', TZ: 'UTC', ...env },
    });
    child.stdin.end(input);
    meanwhile?.(child);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code, out, err };
  };
  const signIn = async (actor: 'owner' | 'viewer', ...more: string[]) => {
    const made = await api
      .as('owner')
      .post('/api/api-keys', { name: actor, scope: actor === 'owner' ? 'admin' : 'read' });
    return run(['login', '--url', api.endpoint, '--token-stdin', ...more], { input: `${made.body.key}\n` });
  };
  return { home, run, signIn };
}

export const STEPS = (sourceId: string, sql: string) => [
  { id: 'read', type: 'extract', config: { sourceId, object: { path: 'orders.csv' } } },
  { id: 'clean', type: 'transform_sql', dependsOn: ['read'], config: { sql } },
  {
    id: 'keep',
    type: 'load',
    dependsOn: ['clean'],
    config: { target: { kind: 'dataset', name: 'orders' }, mode: 'overwrite' },
  },
];

export async function givenPipeline(api: Api, name: string, sourceId: string, sql = 'SELECT * FROM read') {
  const made = await api.as('owner').post('/api/pipelines', { name, dag: { version: 1, steps: STEPS(sourceId, sql) } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id as string;
}
