import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { builtCommandLine } from '../../../support/built-client.ts';
import { type Given, givenPipeline, STEPS, userOf } from './user.ts';

describe('the command line', () => {
  it('is one small file', async () => {
    expect(gzipSync(readFileSync(await builtCommandLine())).length).toBeLessThan(120 * 1024);
  });

  it('signs in, keeps the key from others, and says who and where one is', async ({ api }) => {
    const { home, run, signIn } = await userOf(api);
    expect(await run(['whoami'])).toMatchObject({
      code: 4,
      out: '',
      err: 'Sign in first: analytics login --url https://…\n',
    });
    const signedIn = await signIn('owner', '--name', 'test');
    expect(signedIn).toMatchObject({ code: 0, out: '' });
    expect(signedIn.err).toMatch(/^Signed in to http\S+ as \S+@\S+\. Saved as context test\.\n$/);
    expect(statSync(join(home, '.local/state/analytics/credentials.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, '.config/analytics/config.json'), 'utf8')).not.toContain('ak_');
    const me = await run(['whoami', '--json']);
    expect(JSON.parse(me.out)).toMatchObject({
      url: api.endpoint,
      context: 'test',
      workspace: { id: api.workspaceId },
    });
    expect(await run(['context', 'list'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`*  test     ${api.endpoint}`),
    });
    expect(await run(['logout'])).toMatchObject({ code: 0, err: 'Signed out of test.\n' });
    expect(await run(['whoami'])).toMatchObject({ code: 4 });
    const wrong = await run(['login', '--url', api.endpoint, '--token-stdin'], { input: 'wrong' });
    expect(wrong).toMatchObject({ code: 4, out: '' });
    expect(wrong.err).toContain('UNAUTHENTICATED');
  });

  it('takes a platform and a key from the environment, and sends that key to no saved context', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'saved');
    const token = await api.token('viewer');
    const env = { ANALYTICS_URL: api.endpoint, ANALYTICS_TOKEN: token };
    expect(JSON.parse((await run(['whoami', '--json'], { env })).out)).toMatchObject({ context: null });
    const saved = await run(['whoami', '--json', '--context', 'saved'], { env: { ...env, ANALYTICS_TOKEN: 'wrong' } });
    expect(saved).toMatchObject({ code: 0 });
    expect(await run(['whoami', '--context', 'other'], { env })).toMatchObject({
      code: 2,
      err: 'There is no context "other". Known contexts: saved.\n',
    });
  });

  it('uploads, runs, follows, and reads rows in every form', async ({ api }) => {
    const { home, run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    const source = await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' });
    writeFileSync(join(home, 'orders.csv'), 'id,customer\n1,Ada\n2,"Gr\u001bace"\n');
    const uploaded = await run(['upload', 'orders.csv', '--to', 'Files']);
    expect(uploaded).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^→ .+ \/ test \(http\S+\) as \S+@\S+\nUploaded orders.csv \(29 B\)\.\n$/),
    });
    expect(await run(['upload', 'absent.csv', '--to', 'Files'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('absent.csv cannot be read'),
    });

    await givenPipeline(api, 'Nightly', source.body.id);
    const watched = await run(['run', 'Nightly', '--watch']);
    expect(watched.code, watched.err).toBe(0);
    expect(watched.err).toMatch(/^→ .+ \/ test .*\nrun \S+\n/);
    for (const line of ['✓ succeeded  read', '✓ succeeded  clean', '✓ succeeded  keep'])
      expect(watched.err).toContain(line);
    expect(watched.err).toMatch(/\nsucceeded in \d/);

    // What could repaint a terminal is not printed.
    const table = await run(['query', 'SELECT id, customer FROM orders ORDER BY id']);
    expect(table).toMatchObject({
      code: 0,
      out: 'id  customer\n 1  Ada\n 2  Gr ace\n',
      err: expect.stringMatching(/^2 rows · /),
    });
    const json = await run(['query', '--json', 'SELECT id FROM orders ORDER BY id']);
    expect(JSON.parse(json.out)).toEqual([{ id: 1 }, { id: 2 }]);
    const csv = await run(['query', '--format', 'csv', '--file', '-'], { input: 'SELECT id FROM orders ORDER BY id' });
    expect(csv).toMatchObject({ code: 0, out: 'id\r\n1\r\n2\r\n' });
    expect(await run(['query', '--format', 'parquet', '-o', 'rows.parquet', 'SELECT 1 AS n'])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(join(home, 'rows.parquet')).subarray(0, 4).toString()).toBe('PAR1');
    const saved = { name: 'One order', sql: 'SELECT customer FROM orders WHERE id = $id' };
    const made = await api
      .as('owner')
      .post('/api/saved-queries', { ...saved, params: [{ name: 'id', type: 'integer' }] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(await run(['query', '--saved', 'One order', '-p', 'id=1'])).toMatchObject({
      code: 0,
      out: 'customer\nAda\n',
    });
    const listed = await run(['datasets', 'list', '--json']);
    expect(
      listed.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(['orders']);
    const runs = await run(['runs', 'Nightly', '--json']);
    const [{ id }] = JSON.parse(runs.out);
    expect((await run(['logs', id, 'read'])).out).toContain('Reading from Files (file).');
    expect(await run(['api', 'get', '/datasets', '-f', 'limit=1'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"orders"'),
    });
  });

  it('says with its exit status what went wrong', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    const source = (await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' })).body.id;
    await givenPipeline(api, 'Broken', source);
    const failed = await run(['run', 'Broken', '--watch']);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(/✕ failed {2}read {2}NOT_FOUND/);
    expect(failed.err).toMatch(
      /\nfailed in .*\nlog: {3}analytics logs \S+ read\nretry: analytics retry \S+ --from read\n$/,
    );

    expect(await run(['query', 'SELEC 1'])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('SQL_PARSE'),
    });
    const problem = await run(['query', 'SELEC 1', '--json']);
    expect(JSON.parse(problem.out).error).toMatchObject({ exitCode: 1, code: 'SQL_PARSE', status: 400 });
    expect(await run(['query'])).toMatchObject({ code: 2, err: 'Pass a SQL statement, --file or --saved.\n' });
    expect(await run(['nothing'])).toMatchObject({ code: 2 });
    expect(await run(['run', 'Nothing'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no pipeline named "Nothing".'),
    });
    const sales = { name: 'Sales', sql: 'SELECT 1 AS n' };
    const queries = [0, 1].map(() => api.as('owner').post('/api/saved-queries', sales));
    for (const { status } of await Promise.all(queries)) expect(status).toBe(201);
    const twice = await run(['queries', 'delete', 'Sales']);
    expect(twice).toMatchObject({ code: 2, err: expect.stringContaining('2 of these are named "Sales"') });
    expect(
      await run([
        'api',
        'post',
        '/pipelines',
        '-f',
        'name=Broken',
        '-f',
        `dag=${JSON.stringify({ version: 1, steps: STEPS(source, 'SELECT 1') })}`,
      ]),
    ).toMatchObject({
      code: 6,
      out: expect.stringContaining('PIPELINE_NAME_TAKEN'),
    });
    expect(await run(['api', 'get', '/../../etc/passwd'])).toMatchObject({ code: 2 });

    await signIn('viewer', '--name', 'reader');
    const refused = await run(['run', 'Broken', '--context', 'reader']);
    expect(refused).toMatchObject({ code: 5, err: expect.stringContaining('FORBIDDEN') });
  });

  it('changes nothing in a protected context without its name', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'production', '--protected');
    const { id } = (await api.as('owner').post('/api/saved-queries', { name: 'Sales', sql: 'SELECT 1 AS n' })).body;
    const refused = await run(['queries', 'delete', id]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('The context production is protected. Repeat the command with --confirm production.');
    expect((await api.as('owner').get(`/api/saved-queries/${id}`)).status).toBe(200);
    expect(await run(['queries', 'delete', id, '--confirm', 'production'])).toMatchObject({ code: 0 });
    expect((await api.as('owner').get(`/api/saved-queries/${id}`)).status).toBe(404);
  });

  it('leaves a run alone when it is interrupted, or cancels it if that is wanted', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    await signIn('owner', '--name', 'test');
    const source = (await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' })).body.id;
    const slow = {
      ...{ id: 'slow', type: 'transform_sql' },
      config: { sql: 'SELECT sum(a.range * b.range) AS n FROM range(3000000) a, range(300000) b' },
    };
    const made = await api.as('owner').post('/api/pipelines', { name: 'Slow', dag: { version: 1, steps: [slow] } });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(source).toBeDefined();
    const interrupt: Given['meanwhile'] = (child) =>
      child.stderr!.on('data', (chunk) => {
        if (String(chunk).includes('running  slow')) child.kill('SIGINT');
      });
    const left = await run(['run', 'Slow', '--watch'], { meanwhile: interrupt });
    expect(left.code).toBe(130);
    const id = /analytics cancel (\S+)/.exec(left.err)![1]!;
    expect((await api.as('owner').get(`/api/pipelines/runs/${id}`)).body.status).toBe('running');
    const late = await run(['watch', id, '--timeout', '1']);
    expect(late).toMatchObject({
      code: 7,
      err: expect.stringContaining('The run continues; stopped watching after 1 s.'),
    });
    const cancelled = await run(['cancel', id]);
    expect(cancelled.code).toBe(0);
    const over = async () => (await api.as('owner').get(`/api/pipelines/runs/${id}`)).body.status;
    await expect.poll(over).toBe('cancelled');
    expect((await run(['watch', id])).code).toBe(1);
  });

  it('completes words, and finds what is wrong with its settings', async ({ api }) => {
    const { run, signIn } = await userOf(api);
    expect(await run(['complete', '--', 'pipe'])).toMatchObject({ code: 0, out: 'pipelines\n' });
    expect((await run(['completion', 'bash'])).out).toContain('complete -o default -F _analytics analytics');
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
    const nothing = await run(['doctor']);
    expect(nothing.code).toBe(1);
    expect(nothing.out).toContain('✕ Target: Sign in first');
    await signIn('owner', '--name', 'test');
    const found = await run(['doctor', '--json']);
    expect(found.code, found.out).toBe(0);
    expect(JSON.parse(found.out).map(({ check }: { check: string }) => check)).toContain('Clock');
  });
});
