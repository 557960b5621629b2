import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { dagOf, givenFiles, givenPipeline, load, type StepInput, simpleDag, sql, UNKNOWN_ID } from './given.ts';

describe('definitions of pipelines', () => {
  it('refuse a definition with all its issues at once, and store nothing', async ({ api }) => {
    const dag = dagOf(sql('a', 'DROP TABLE x', ['b']), sql('b', 'SELECT 1', ['a']), sql('b', 'SELECT 1', ['c']));
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    expect(reply).toMatchObject({ status: 422, body: { code: 'PIPELINE_DAG_INVALID' } });
    expect(reply.body.errors.map(({ code }: { code: string }) => code)).toEqual([
      'STEP_DUPLICATE',
      'STEP_UNKNOWN',
      'STEP_CYCLE',
    ]);
    expect((await api.as('viewer').get('/api/pipelines')).body.total).toBe(0);
  });

  it.for([
    ['DROP TABLE x', 'SQL_NOT_READ_ONLY'],
    ['SELECT * FROM nowhere', 'NOT_FOUND'],
    ["SELECT * FROM read_csv('/etc/passwd')", 'SQL_NOT_READ_ONLY'],
    ['SELECT FROM WHERE', 'SQL_PARSE'],
  ] as const)('refuse SQL that does more than read its inputs: %s', async ([text, code], { api }) => {
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag: dagOf(sql('a', text)) });
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_DAG_INVALID', errors: [{ pointer: '/dag/steps/0/config/sql', code }] },
    });
  });

  it('say which step brings a table, and how it is named in SQL', async ({ api }) => {
    const files = await givenFiles(api, { 'orders.csv': 'id\n1\n' });
    const extract = { id: 'load-orders', type: 'extract', config: { sourceId: files, object: { path: 'orders.csv' } } };
    const messageOf = async (...steps: StepInput[]) =>
      (await api.as('editor').post('/api/pipelines', { name: 'bad', dag: dagOf(extract as StepInput, ...steps) })).body
        .errors[0].message;
    expect(await messageOf(sql('a', 'SELECT * FROM orders'))).toBe(
      'There is no table "orders". The step "load-orders" reads it: add "load-orders" to dependsOn, and write FROM load_orders.',
    );
    expect(await messageOf(sql('a', 'SELECT * FROM load-orders', ['load-orders']))).toMatch(
      /In SQL, the step "load-orders" is named load_orders\.$/,
    );
    expect(await messageOf(sql('a', 'SELECT * FROM "load-orders"', ['load-orders']))).toMatch(
      /is named load_orders\.$/,
    );
    expect(await messageOf(sql('a', 'SELECT * FROM shop.orders', ['load-orders']))).toMatch(/shop\.orders.*sourceId/);
  });

  it('refuse to never write the rows of a step that have to be written, and say why', async ({ api }) => {
    const never = (step: StepInput): StepInput => ({ ...step, config: { ...step.config, materialize: 'never' } });
    const dag = dagOf(
      never(sql('a', 'SELECT 1 AS x')),
      never(sql('clock', 'SELECT x, now() AS at FROM a', ['a'])),
      never({
        id: 'recipe',
        type: 'transform_sql',
        config: { ops: [{ op: 'derive', column: 'y', expression: 'x + year(current_date)' }] },
        dependsOn: ['clock'],
      }),
      never(load('keep', 'recipe', 'numbers')),
      sql('other', 'SELECT * FROM a', ['a']),
    );
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    expect(reply).toMatchObject({ status: 422, body: { code: 'PIPELINE_DAG_INVALID' } });
    const issues = reply.body.errors as { pointer: string; code: string; message: string }[];
    const forced = 'must be auto or always, because the rows have to be written:';
    expect(issues.map(({ pointer, code, message }) => [pointer, code, message]).toSorted()).toEqual([
      ['/dag/steps/0/config/materialize', 'NOT_ALLOWED', `${forced} several steps depend on the step`],
      [
        '/dag/steps/1/config/materialize',
        'NOT_ALLOWED',
        `${forced} now() gives a different result when they are computed again`,
      ],
      [
        '/dag/steps/2/config/materialize',
        'NOT_ALLOWED',
        `${forced} current_date gives a different result when they are computed again`,
      ],
      ['/dag/steps/3/config/materialize', 'SETTING_NOT_AVAILABLE', 'load steps do not support materialize; remove it.'],
    ]);
  });

  it('refuse a definition that is not of the shape, and a schedule that cannot be', async ({ api }) => {
    const post = (body: object) => api.as('editor').post('/api/pipelines', body);
    expect(await post({ name: 'x', dag: { ...simpleDag(), extra: 1 } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/dag/extra', code: 'UNKNOWN_MEMBER' }] },
    });
    expect(await post({ name: 'x', dag: simpleDag(), schedule: { cron: 'every day' } })).toMatchObject({
      status: 422,
      body: { code: 'PIPELINE_SCHEDULE_INVALID', errors: [{ pointer: '/schedule/cron', code: 'CRON_INVALID' }] },
    });
  });

  it('reject requests with unknown members', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const unknown = (pointer: string) => ({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer, code: 'UNKNOWN_MEMBER' }] },
    });
    const editor = api.as('editor');
    const patched = await editor.patch(`/api/pipelines/${id}`, { state: 'paused' });
    expect(patched).toMatchObject(unknown('/state'));
    const requests: [string, object, string][] = [
      ['', { name: 'x', dag: simpleDag(), shedule: {} }, '/shedule'],
      [`/${id}/run`, { params: { day: '2026-01-01' } }, '/params'],
      [`/${id}/backfill`, { from: '2026-01-01', to: '2026-01-01', params: {} }, '/params'],
      [`/${id}/validate`, { definition: simpleDag() }, '/definition'],
      [`/${id}/transform-preview`, { stepId: 'a', rows: 10 }, '/rows'],
      [`/${id}/suggest-ops`, { description: 'x', upstreamIds: ['a'], ops: [] }, '/ops'],
    ];
    for (const [path, body, pointer] of requests) {
      expect(await editor.post(`/api/pipelines${path}`, body), path).toMatchObject(unknown(pointer));
    }
  });

  it('are checked without being saved', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const validate = (body?: object) => api.as('viewer').post(`/api/pipelines/${id}/validate`, body);
    expect((await validate()).body).toEqual({ valid: true, issues: [] });
    expect(await validate({ dag: { version: 3, steps: [], more: true } })).toMatchObject({
      status: 200,
      body: { valid: false },
    });
    const reply = await validate({ dag: dagOf(sql('a', 'DELETE FROM x')) });
    expect(reply.body).toMatchObject({
      valid: false,
      issues: [{ path: '/dag/steps/0/config/sql', code: 'SQL_NOT_READ_ONLY', severity: 'error' }],
    });
    expect(await api.as('stranger').post(`/api/pipelines/${id}/validate`)).toMatchObject({
      status: 404,
      body: { code: 'PIPELINE_NOT_FOUND' },
    });
  });

  it('report all their issues at once, of every kind', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const files = await givenFiles(api, { 'a.csv': 'x\n1\n' });
    const issuesOf = async (dag: object) => {
      const { body } = await api.as('viewer').post(`/api/pipelines/${id}/validate`, { dag });
      return body.issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort();
    };
    const extract = (step: string, object: object, sourceId = files) => ({
      id: step,
      type: 'extract' as const,
      config: { sourceId, object },
    });
    const filtered = (step: string, filter: string) => ({
      id: step,
      type: 'extract' as const,
      config: { sourceId: files, object: { path: 'a.csv' }, filter },
    });
    const service = await api.as('owner').post('/api/data-sources', {
      name: 'service',
      type: 'http',
      config: { baseUrl: 'http://127.0.0.1:8080', endpoints: [{ name: 'rows', path: '/rows' }] },
      secrets: {},
    });
    expect(service.status, JSON.stringify(service.body)).toBe(201);
    const into = (step: string, target: object) => ({
      id: step,
      type: 'load' as const,
      dependsOn: ['rows'],
      config: { target, mode: 'append' },
    });
    const dag = dagOf(
      extract('unknown', { path: 'a.csv' }, UNKNOWN_ID),
      sql('waits', 'DROP TABLE x', ['nobody']),
      sql('drops', 'DROP TABLE x'),
      extract('rows', { path: 'a.csv' }),
      extract('of-table', { table: 'a' }),
      extract('of-query', { query: 'SELECT 1' }),
      extract('of-stream', { stream: 'shop' }),
      into('to-table', { kind: 'table', sourceId: files, table: 't' }),
      into('to-files', { kind: 'files', sourceId: files, path: 'out', format: 'csv' }),
      { id: 'code', type: 'transform_code', dependsOn: ['rows'], config: { code: 'function {' } },
      filtered('half', 'id > {{ run.id }} AND'),
      filtered('closes', 'true) OR (true'),
      filtered('whole', 'placed >= {{ run.intervalStart }}'),
      extract('endpoint', { table: 'rows' }, service.body.id),
      extract('no-endpoint', { table: 'Rows' }, service.body.id),
      extract('some-endpoint', { table: '{{ run.id }}' }, service.body.id),
    );
    expect(await issuesOf(dag)).toEqual(
      [
        '/dag/steps/0/config/sourceId SOURCE_UNKNOWN',
        '/dag/steps/1/dependsOn/0 STEP_UNKNOWN',
        '/dag/steps/2/config/sql SQL_NOT_READ_ONLY',
        '/dag/steps/4/config/object/table SOURCE_TYPE',
        '/dag/steps/5/config/object/query SOURCE_TYPE',
        '/dag/steps/6/config/object/stream SOURCE_TYPE',
        '/dag/steps/7/config/target/sourceId SOURCE_TYPE',
        '/dag/steps/8/config/target/sourceId SOURCE_TYPE',
        '/dag/steps/10/config/filter SQL_PARSE',
        '/dag/steps/11/config/filter SQL_PARSE',
        '/dag/steps/14/config/object/table ENDPOINT_UNKNOWN',
        '/dag/steps/9/config/code CODE_ERROR',
      ].sort(),
    );
    // Where the whole is not in shape, its steps' settings are still checked.
    const [step] = dag.steps;
    expect(await issuesOf({ steps: [{ ...step, id: '?', config: { object: { path: 'a.csv' } } }], more: 1 })).toEqual([
      '/dag/more UNKNOWN_MEMBER',
      '/dag/steps/0/config/sourceId REQUIRED',
      '/dag/steps/0/id PATTERN',
      '/dag/version REQUIRED',
    ]);
  });

  it('are saved with no issue, or rejected with the same issues that validation reports', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const dag = {
      ...dagOf(
        { ...sql('src', 'SELECT 1 AS id, 2 AS amount'), retry: { maxAttempts: 99 } } as StepInput,
        sql('drops', 'DROP TABLE x'),
        sql('lost', 'SELECT 1', ['nowhere']),
        { id: 'code', type: 'transform_code', dependsOn: ['drops'], config: { code: 'function {' } },
      ),
      more: 1,
    };
    const expected = [
      '/dag/more UNKNOWN_MEMBER',
      '/dag/steps/0/retry/maxAttempts MAXIMUM',
      '/dag/steps/1/config/sql SQL_NOT_READ_ONLY',
      '/dag/steps/2/dependsOn/0 STEP_UNKNOWN',
      '/dag/steps/3/config/code CODE_ERROR',
    ];
    const editor = api.as('editor');
    const codes = (issues: { pointer?: string; path?: string; code: string }[]) =>
      issues.map(({ pointer, path, code }) => `${pointer ?? path} ${code}`).sort();
    const { body } = await editor.post(`/api/pipelines/${id}/validate`, { dag });
    expect(codes(body.issues)).toEqual(expected);
    const created = await editor.post('/api/pipelines', { name: 'broken', dag });
    expect([created.status, created.body.code, codes(created.body.errors)]).toEqual([
      400,
      'VALIDATION_FAILED',
      expected,
    ]);
    const patched = await editor.patch(`/api/pipelines/${id}`, { dag, state: 1 });
    expect(patched.status).toBe(400);
    expect(codes(patched.body.errors)).toEqual([...expected, '/state UNKNOWN_MEMBER'].sort());
    expect((await api.as('viewer').get('/api/pipelines')).body.total).toBe(1);

    const withSchedule = { name: 'x', dag: dagOf(sql('drops', 'DROP TABLE x')), schedule: { cron: 'never' } };
    expect(await editor.post('/api/pipelines', withSchedule)).toMatchObject({
      status: 422,
      body: {
        code: 'PIPELINE_DAG_INVALID',
        errors: [{ pointer: '/dag/steps/0/config/sql' }, { pointer: '/schedule/cron', code: 'CRON_INVALID' }],
      },
    });
  });

  it('are rejected if they name columns that earlier steps do not have', async ({ api }) => {
    const dag = dagOf(
      sql('src', "SELECT 1 AS id, 2.5 AS amount, 'x' AS note"),
      sql('calc', 'SELECT id, amuont * 2 AS gross FROM src', ['src']),
      sql('named', 'SELECT id, amount * 2 AS gross FROM src', ['src']),
      {
        id: 'clean',
        type: 'transform_sql',
        dependsOn: ['named'],
        config: {
          ops: [
            { op: 'derive', column: 'total', expression: 'sum(gross)' },
            { op: 'filter', condition: 'row_number() OVER () < 3' },
            { op: 'derive', column: 'net', expression: 'gros * 0.8' },
          ],
        },
      },
      load('keep', 'named', 'numbers'),
    );
    const gates = [{ id: 'a', type: 'not_null', column: 'grosss', action: 'fail' }];
    dag.steps[4]!.config = { ...dag.steps[4]!.config, gates };
    const reply = await api.as('editor').post('/api/pipelines', { name: 'x', dag });
    expect([reply.status, reply.body.code]).toEqual([422, 'PIPELINE_DAG_INVALID']);
    const found = reply.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    expect(found.sort()).toEqual([
      '/dag/steps/1/config/sql COLUMN_UNKNOWN',
      '/dag/steps/3/config/ops/0/expression SQL_ERROR',
      '/dag/steps/3/config/ops/1/condition SQL_ERROR',
      '/dag/steps/3/config/ops/2/expression COLUMN_UNKNOWN',
      '/dag/steps/4/config/gates/0 COLUMN_UNKNOWN',
    ]);
    const messages = reply.body.errors.map(({ message }: { message: string }) => message);
    expect(messages).toContain('Unknown column "amuont"; did you mean "amount"?');
    expect(messages).toContain('Unknown column "grosss"; did you mean "gross"?');
    expect(messages).toContainEqual(expect.stringContaining('use the operation aggregate'));
  });

  it('report the issues of all parts of a step together', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const files = await givenFiles(api, { 'a.csv': 'x\n1\n' });
    const step = (type: StepInput['type'], config: object) =>
      ({ id: `${type.replace('_', '-')}-step`, type, dependsOn: ['rows'], config }) as StepInput;
    const gate = (more: object) => ({ id: 'a', type: 'regex', column: 'x', action: 'fail', ...more });
    const dag = dagOf(
      {
        id: 'rows',
        type: 'extract',
        config: { sourceId: files, object: { path: 'a.csv' }, filter: 'x >', mode: 'sideways' },
      },
      step('transform_sql', {
        ops: [
          { op: 'selct' },
          { op: 'filter', condition: 'x >' },
          { op: 'limit', count: 'few' },
          { op: 'derive', column: 'y', expression: 'x +' },
        ],
        gates: [gate({ action: 'explode', config: { pattern: '.' } }), gate({ id: 'b', config: { pattern: '(' } })],
      }),
      step('route', {
        routes: [
          { port: 'one', condition: 'x >' },
          { port: 'one', condition: 'x > 1' },
          { port: 'two', condition: 'x < {{ params.nothing }}' },
        ],
      }),
      step('transform_code', { code: 'function {', language: 'typescript', timeoutSeconds: 0 }),
      step('load', {
        target: { kind: 'dataset', name: 'kept', color: 'red' },
        mode: 'upsert',
        mergekey: ['x'],
        gates: [gate({ config: { pattern: ')' } })],
      }),
    );
    const { body } = await api.as('viewer').post(`/api/pipelines/${id}/validate`, { dag });
    expect(body.issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).sort()).toEqual(
      [
        '/dag/steps/0/config/filter SQL_PARSE',
        '/dag/steps/0/config/mode ENUM',
        '/dag/steps/1/config/ops/0/op ENUM',
        '/dag/steps/1/config/ops/1/condition SQL_PARSE',
        '/dag/steps/1/config/ops/2/count TYPE',
        '/dag/steps/1/config/ops/3/expression SQL_PARSE',
        '/dag/steps/1/config/gates/0/action ENUM',
        '/dag/steps/1/config/gates/1/config/pattern PATTERN',
        '/dag/steps/2/config/routes/0/condition SQL_PARSE',
        '/dag/steps/2/config/routes/1/port DUPLICATE',
        '/dag/steps/2/config/routes/2/condition TEMPLATE_INVALID',
        '/dag/steps/3/config/code CODE_ERROR',
        '/dag/steps/3/config/timeoutSeconds MINIMUM',
        '/dag/steps/4/config/mode ENUM',
        '/dag/steps/4/config/mergekey UNKNOWN_MEMBER',
        '/dag/steps/4/config/target/color UNKNOWN_MEMBER',
        '/dag/steps/4/config/gates/0/config/pattern PATTERN',
      ].sort(),
    );
  });

  it('report what a database would reject in their filters and queries, without asking it', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const given = async (type: 'postgres' | 'mysql') => {
      const config = { host: '127.0.0.1', port: 1, database: 'x', user: 'x', ssl: false };
      const body = { name: type, type, config, secrets: { password: 'x' } };
      return (await api.as('owner').post('/api/data-sources', body)).body.id;
    };
    const [postgres, mysql] = [await given('postgres'), await given('mysql')];
    let steps = 0;
    const filtered = (sourceId: string, filter: string) => ({
      id: `step-${++steps}`,
      type: 'extract',
      config: { sourceId, object: { table: 'orders' }, filter },
    });
    const asked = (sourceId: string, query: string, more: object = {}) => ({
      id: `step-${++steps}`,
      type: 'extract',
      config: { sourceId, object: { query }, ...more },
    });
    const since = '{{ run.intervalStart }}';
    const [refused, half] = ['SQL_NOT_READ_ONLY', 'SQL_PARSE'];
    const cases: [step: StepInput, issue?: string][] = [
      [filtered(postgres, `placed >= ${since} AND data->>'a' ~ '^x' AND id = ANY ('{1,2}'::int[])`)],
      [filtered(postgres, 'id >'), `filter ${half}`],
      [filtered(postgres, 'true) OR (true'), `filter ${half}`],
      [filtered(postgres, 'pg_sleep(10) IS NULL'), `filter ${refused}`],
      [filtered(postgres, '`id` = 1'), `filter ${half}`],
      [filtered(mysql, `\`placed\` >= ${since} AND note RLIKE "^x" AND id <=> 1`)],
      [filtered(mysql, 'id > (1'), `filter ${half}`],
      [filtered(mysql, 'true) OR (true'), `filter ${refused}`],
      [filtered(mysql, 'sleep(10) = 0'), `filter ${refused}`],
      [filtered(mysql, "id = ANY ('{1,2}'::int[])"), `filter ${refused}`],
      [
        asked(
          postgres,
          `WITH o AS (SELECT * FROM shop.orders) SELECT id, data->>'a' AS a FROM o WHERE placed > ${since};`,
        ),
      ],
      [asked(postgres, 'SELECT id FROM', { filter: 'id > 1' }), `object/query ${half}`],
      [asked(postgres, `DELETE FROM orders WHERE placed < ${since}`), `object/query ${refused}`],
      [asked(postgres, 'SELECT `id` FROM orders'), `object/query ${half}`],
      [asked(postgres, 'SELECT 1; SELECT 2'), `object/query ${refused}`],
      [asked(postgres, `SELECT data ? 'a' AS has, '$1' AS text, $$ $2 $$ AS other FROM orders`)],
      [asked(postgres, 'SELECT * FROM orders WHERE id = $1'), 'object/query TEMPLATE_INVALID'],
      [filtered(postgres, 'id = $1'), 'filter TEMPLATE_INVALID'],
      [asked(mysql, `SELECT \`id\`, "text" AS t FROM orders WHERE placed > ${since} AND id <=> 1;`)],
      [asked(mysql, 'SELECT id::text FROM orders'), `object/query ${refused}`],
      [asked(mysql, "SELECT 'never closed"), `object/query ${half}`],
      [asked(mysql, `DELETE FROM orders WHERE placed < ${since}`), `object/query ${refused}`],
      [asked(mysql, "SELECT * FROM orders INTO OUTFILE '/tmp/x'"), `object/query ${refused}`],
      [asked(mysql, 'SELECT * FROM generate_series(1, 3)'), `object/query ${refused}`],
    ];
    const dag = dagOf(...cases.map(([step]) => step));
    const { body } = await api.as('viewer').post(`/api/pipelines/${id}/validate`, { dag });
    const reported = body.issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
    const expected = cases.flatMap(([, issue], index) => (issue ? [`/dag/steps/${index}/config/${issue}`] : []));
    expect([...new Set(reported)].sort()).toEqual(expected.sort());

    const saved = await api.as('editor').post('/api/pipelines', { name: 'asks', dag });
    expect(saved).toMatchObject({ status: 422, body: { code: 'PIPELINE_DAG_INVALID' } });
    expect(saved.body.errors).toHaveLength(reported.length);
    expect(await api.as('editor').patch(`/api/pipelines/${id}`, { dag })).toMatchObject({ status: 422 });
    expect((await api.as('viewer').get(`/api/pipelines/${id}`)).body.dag).toMatchObject(simpleDag());
  });

  it('have values for references alone, and so no parameters of their own', async ({ api }) => {
    const { id } = await givenPipeline(api, simpleDag());
    const files = await givenFiles(api, {});
    const gate = (name: string, type: string, config: object) => ({ id: name, type, action: 'warn', config });
    const dag = dagOf(
      sql('plain', "SELECT '$1' AS id, $$ $own $$ AS more, {{ run.id }} AS run"),
      sql('numbered', 'SELECT $1 AS id'),
      sql('named', 'SELECT $own AS id'),
      sql('next', 'SELECT ? AS id'),
      {
        id: 'routed',
        type: 'route',
        config: { routes: [{ port: 'one', condition: 'id = $1' }] },
        dependsOn: ['plain'],
      },
      {
        id: 'recipe',
        type: 'transform_sql',
        config: { ops: [{ op: 'derive', column: 'x', expression: '$1 + 1' }] },
        dependsOn: ['plain'],
      },
      {
        id: 'checked',
        type: 'transform_sql',
        config: {
          sql: 'SELECT * FROM plain',
          gates: [
            { ...gate('a', 'not_null', { where: 'id = $1' }), column: 'id' },
            gate('b', 'custom_sql', { sql: 'SELECT * FROM input WHERE id = $1' }),
          ],
        },
        dependsOn: ['plain'],
      },
      {
        id: 'read',
        type: 'extract',
        config: { sourceId: files, object: { path: 'a.csv' }, filter: 'id = $1' },
      },
    );
    const { body } = await api.as('viewer').post(`/api/pipelines/${id}/validate`, { dag });
    expect(body.issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual(
      [
        '1/config/sql',
        '2/config/sql',
        '3/config/sql',
        '4/config/routes/0/condition',
        '5/config/ops/0/expression',
        '6/config/gates/0/config/where',
        '6/config/gates/1/config/sql',
        '7/config/filter',
      ].map((place) => `/dag/steps/${place} TEMPLATE_INVALID`),
    );
  });
});
