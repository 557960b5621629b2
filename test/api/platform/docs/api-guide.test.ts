import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { clientPackage } from '../../../support/built-client.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { fencesOf, followGuide } from '../../../support/guide-examples.ts';

const run = promisify(execFile);

/** The block of a guide with this text, for the platform under test. */
function snippet(api: Api, language: string, text: string): string {
  const found = fencesOf('api.md').find((fence) => fence.language === language && fence.content.includes(text));
  if (!found) throw new Error(`docs/api.md has no block of ${language} with ${text}`);
  return found.content.replaceAll('http://localhost:3000', api.endpoint);
}

const runTypeScript = (code: string, options: { cwd?: string; env: NodeJS.ProcessEnv }) =>
  run(process.execPath, ['--input-type=module-typescript', '--eval', code], options);

describe('docs/api.md', () => {
  it('shows requests that succeed, and replies as they are', async ({ api }) => {
    const { email, password } = await api.password('owner');
    const owner = api.as('owner');
    const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString();
    await followGuide(api, 'api.md', {
      values: { password },
      instead: { 'ada@example.com': email, '2026-12-31T00:00:00.000Z': inAMonth },
      callerOf: ({ path }) => (path === '/api/auth/login' ? 'anonymous' : 'owner'),
      after: async ({ method, path, headers, body: text }, { body }) => {
        if (path === '/api/auth/login') {
          const env = { ...process.env, BASE: api.endpoint, TOKEN: body.accessToken };
          const { stdout } = await run('sh', ['-c', snippet(api, 'sh', 'curl')], { env });
          expect(JSON.parse(stdout)).toMatchObject({ user: { email } });
        }
        if (path === '/api/api-keys') return { keyId: body.id };
        if (path === '/api/service-accounts') return { accountId: body.id };
        if (method === 'POST' && path === '/api/groups') {
          const again = await owner.send('POST', path, { headers, text: text! });
          expect(again).toMatchObject({ status: 201, body });
          expect(again.headers.get('idempotency-replayed')).toBe('true');
          return { groupId: body.id };
        }
        if (method === 'PATCH') {
          const late = await owner.send('PATCH', `/api/groups/${body.id}`, { headers, text: text! });
          expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
        }
        return {};
      },
    });
  });

  it('verifies access tokens by the published keys', async ({ api }) => {
    const code = `import { createRemoteJWKSet, jwtVerify } from 'jose';
      const { token } = process.env;
      ${snippet(api, 'ts', 'createRemoteJWKSet')}
      console.log(payload.wid);`;
    const { stdout } = await runTypeScript(code, { env: { ...process.env, token: await api.token('owner') } });
    expect(stdout.trim()).toBe(api.workspaceId);
  });

  it('runs a pipeline and reads rows with the client of the platform', async ({ api }) => {
    const cwd = await mkdtemp(join(tmpdir(), 'client-guide-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await mkdir(join(cwd, 'node_modules/@analytics-platform'), { recursive: true });
    await symlink(await clientPackage(), join(cwd, 'node_modules/@analytics-platform/client'));
    await givenDataset(api, { name: 'orders', sql: `SELECT 'north' AS region, unnest([2, 3]) AS amount` });
    const steps = [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }];
    const made = await api.as('editor').post('/api/pipelines', { name: 'Nightly', dag: { version: 1, steps } });
    expect(made.status).toBe(201);
    const env = { ...process.env, API_KEY: await api.token('owner') };
    const code = `const pipeline = '${made.body.id}';
      const day = '2026-02-03';
      ${snippet(api, 'ts', '@analytics-platform/client')}`;
    const { stdout } = await runTypeScript(code, { cwd, env });
    expect(stdout).toContain(`end { status: 'succeeded' }\n`);
    expect(stdout.endsWith('\nnorth 5\n')).toBe(true);
  });
});
