import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERY_OPTION } from '../support/every-option.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['cdk.json', 'clients', 'docs', 'events', 'functions', 'infra', 'package.json', 'packages', 'shared'];

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'clone-'));
  for (const name of SOURCES) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'junction');
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Runs the app as the CDK does for a command: it names the stacks whose code it needs, by patterns. */
async function synthesizeFor(stacksWithCode: string[], environment: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const { app, context } = JSON.parse(readFileSync(join(clone, 'cdk.json'), 'utf8'));
  expect(app).toBe('node infra/app.ts');
  const outdir = join(clone, 'cdk.out');
  await promisify(execFile)(process.execPath, ['infra/app.ts'], {
    cwd: clone,
    env: {
      ...process.env,
      ...environment,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, [BUNDLING_STACKS]: stacksWithCode }),
    },
  });
  const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
  return Object.keys(artifacts).filter((name) => artifacts[name].type === 'aws:cloudformation:stack');
}

describe('a fresh clone, in which nothing is built', () => {
  it('has the stacks with every option for cdk bootstrap and cdk destroy, which need no code', async () => {
    expect(existsSync(join(clone, 'dist'))).toBe(false);
    expect((await synthesizeFor([], EVERY_OPTION)).sort()).toEqual([
      'AnalyticsCapture',
      'AnalyticsData',
      'AnalyticsObservability',
      'AnalyticsRuntime',
    ]);
  });

  it('says for npm start with an option where settings are', async () => {
    const started = promisify(execFile)(process.execPath, ['infra/start.ts', '--port', '3001'], { cwd: clone });
    await expect(started).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Unknown option "--port".*PORT=3001 npm start/),
    });
  });

  it('says for cdk deploy and cdk synth how to build', async () => {
    await expect(synthesizeFor(['**'])).rejects.toThrow(/bundle dist\/\S+ is missing\. Run npm run build, or/);
  });
});
