import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it.each([
  ['takes too long', "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000)) AS x", 1, 'TIMEOUT'],
  ['needs too much', 'SELECT len(list_transform(range(500000000), lambda x: x + 1)) AS x', 60, 'OUT_OF_MEMORY'],
])('a worker that is stuck in SQL that %s ends itself and leaves word of it', async (_what, sql, seconds, code) => {
  // Killed, it clears nothing away.
  const folder = mkdtempSync(join(tmpdir(), 'stuck-step-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048' };
  const child = fork(new URL('./stuck-step.ts', import.meta.url), [sql, String(seconds)], { env, execArgv: [] });
  const [[words], [exitCode, signal]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  expect(words).toMatchObject({ code });
  expect([exitCode, signal]).toEqual([null, 'SIGKILL']);
});
