import { describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';

const SOURCE = '01999999-0000-7000-8000-000000000001';

const extract = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  type: 'extract',
  config: { sourceId: SOURCE, object: { path: 'a.csv' } },
  ...more,
});
const sql = (id: string, dependsOn: string[] = [], config: Record<string, unknown> = {}): Step => ({
  id,
  type: 'transform_sql',
  config: { sql: 'SELECT 1 AS one', ...config },
  dependsOn,
});
const load = (id: string, dependsOn: string[], config: Record<string, unknown> = {}): Step => ({
  id,
  type: 'load',
  config: { target: { kind: 'dataset', name: 'd' }, mode: 'append', ...config },
  dependsOn,
});
const dag = (steps: Step[], more: Partial<Dag> = {}): Dag => ({ version: 1, steps, ...more });

/** Pointer and code of each issue. */
const issues = (value: unknown) => findDagIssues(value).map(({ pointer, code }) => `${pointer} ${code}`);

const FILES = { kind: 'files', sourceId: '00000000-0000-7000-8000-000000000000', path: 'out', format: 'csv' };
const TABLE = { kind: 'table', sourceId: '00000000-0000-7000-8000-000000000000', table: 't' };

const QUARANTINING = { id: 'g', type: 'not_null', column: 'x', action: 'quarantine' };
const dated = (config: object) => ({ type: 'date_range', column: 'x', action: 'warn', config });

describe('findDagIssues', () => {
  it('reports a merge that waits for deleted rows of a stream which is read in full', () => {
    const changes = (mode: string) =>
      extract('changes', { config: { sourceId: SOURCE, object: { stream: 'shop' }, mode } });
    const merge = (from: string) =>
      load('keep', [from], { mode: 'merge', mergeKey: ['id'], deleteColumn: '_cdc_deleted' });
    const between = sql('clean', ['changes'], { sql: 'SELECT * FROM changes' });
    const expected = ['/dag/steps/2/config/deleteColumn NOT_ALLOWED'];
    expect(issues(dag([changes('full'), between, merge('clean')]))).toEqual(expected);
    expect(issues(dag([changes('full'), between, merge('changes')]))).toEqual(expected);
    expect(issues(dag([changes('incremental'), between, merge('clean')]))).toEqual([]);
    expect(issues(dag([extract('changes'), between, merge('clean')]))).toEqual([]);
    expect(findDagIssues(dag([changes('full'), between, merge('clean')]))[0]!.message).toContain('mode to incremental');
  });

  it('reports the wrong references of other steps beside a step of the wrong shape', () => {
    const steps = [
      { ...extract('orders'), retries: 3 },
      { id: 'odd', type: 'transfrom_sql', config: { sql: 7 }, dependsOn: ['orders'] },
      { id: 7, type: 'load', config: { target: { kind: 'dataset', name: 'd' }, mode: 'append' }, dependsOn: 'odd' },
      sql('late', ['odrers', 'odd'], { sql: 'SELECT {{ params.regoin }}' }),
      sql('turn', ['wheel']),
      sql('wheel', ['turn']),
      load('keep', ['late'], { mode: 'merge' }),
    ];
    const parameters = [{ name: 'region', type: 'strng' }];
    expect(issues({ version: 2, steps, parameters, schedule: { cron: '61 * * * *' } }).sort()).toEqual([
      '/dag/parameters/0/type ENUM',
      '/dag/schedule/cron CRON_INVALID',
      '/dag/steps/0/retries UNKNOWN_MEMBER',
      '/dag/steps/1/type ENUM',
      '/dag/steps/2/dependsOn TYPE',
      '/dag/steps/2/id TYPE',
      '/dag/steps/3/config/sql TEMPLATE_INVALID',
      '/dag/steps/3/dependsOn/0 STEP_UNKNOWN',
      '/dag/steps/4/dependsOn STEP_CYCLE',
      '/dag/steps/6/config/mergeKey REQUIRED',
      '/dag/version CONST',
    ]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', []],
    ['steps that are no list', { version: 1, steps: {} }],
    ['steps of nothing', { version: 1, steps: [null, 7, 'x', [], {}] }],
    [
      'members of nothing',
      { version: 1, steps: [sql('a')], parameters: [null], forEach: [7], trigger: 'x', schedule: 1 },
    ],
    ['blocks of nothing', { version: 1, steps: [sql('a')], forEach: [{ id: {}, steps: [1, 'b'], items: {} }] }],
    ['too many steps', { version: 1, steps: Array.from({ length: 5_000 }, (_, index) => sql(`s${index}`)) }],
  ])('reports %s by its shape', (_title, value) => {
    expect(issues(value)).not.toEqual([]);
  });

  it('finds nothing wrong with a valid definition', () => {
    const parameters = [{ name: 'region', type: 'string', default: 'eu' } as const];
    const valid = dag(
      [
        extract('orders'),
        sql('clean', ['orders'], { sql: 'SELECT * FROM orders WHERE region = {{ params.region }}' }),
        load('keep', ['clean'], { mode: 'merge', mergeKey: ['id'] }),
        extract('changes', {
          config: { sourceId: SOURCE, object: { stream: 'shop' }, columns: ['id'], mode: 'incremental' },
        }),
        extract('tabs', {
          config: {
            sourceId: SOURCE,
            object: { path: 'a.tsv', options: { delimiter: '\t', quote: '', nullStrings: ['"', 'N/A', '\\N'] } },
            columns: ['id', 'AT'],
            mode: 'incremental',
            incremental: { cursorColumn: 'at' },
          },
        }),
        {
          id: 'named',
          type: 'transform_code',
          config: { code: 'x', inputs: { rows: 'orders' } },
          dependsOn: ['orders', 'clean'],
        },
        load('follow', ['changes'], { mode: 'merge', mergeKey: ['id'], deleteColumn: '_cdc_deleted' }),
      ],
      { parameters },
    );
    expect(issues(valid)).toEqual([]);
  });

  it('names the steps of a cycle', () => {
    const [issue, ...others] = findDagIssues(dag([sql('a', ['c']), sql('b', ['a']), sql('c', ['b']), sql('d', ['c'])]));
    expect(issue).toMatchObject({ code: 'STEP_CYCLE', message: expect.stringContaining('a → c → b → a') });
    expect(others).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['a step that waits for itself', dag([sql('a', ['a'])]), ['/dag/steps/0/dependsOn/0 STEP_SELF_REFERENCE']],
    ['a step that is not there', dag([sql('a', ['b'])]), ['/dag/steps/0/dependsOn/0 STEP_UNKNOWN']],
    ['an id used twice', dag([sql('a'), sql('a')]), ['/dag/steps/1/id STEP_DUPLICATE']],
    [
      'an input that is no dependency',
      dag([sql('a'), sql('b', ['a']), sql('c', ['b'], { inputs: { a: 'a' } })]),
      ['/dag/steps/2/config/inputs/a INPUT_NOT_A_DEPENDENCY'],
    ],
    [
      'an input without rows',
      dag([sql('a'), load('l', ['a']), sql('b', ['l'], { inputs: { l: 'l' } })]),
      ['/dag/steps/2/config/inputs/l INPUT_WITHOUT_ROWS'],
    ],
    [
      'a load with two possible inputs',
      dag([sql('a'), sql('b'), load('l', ['a', 'b'])]),
      ['/dag/steps/2/config/input REQUIRED'],
    ],
    [
      'a merge without a key',
      dag([sql('a'), load('l', ['a'], { mode: 'merge' })]),
      ['/dag/steps/1/config/mergeKey REQUIRED'],
    ],
    [
      'partitions without a name, and names without partitions',
      dag([
        sql('a'),
        load('l', ['a'], { target: TABLE, mode: 'overwrite', scope: 'partition' }),
        load('m', ['a'], { target: { ...TABLE, partitionBy: ['day'] }, mode: 'append' }),
        load('n', ['a'], { mode: 'append', scope: 'partition' }),
        load('o', ['a'], { mode: 'append', onSchemaChange: 'guess' }),
      ]),
      [
        '/dag/steps/1/config/target/partitionBy REQUIRED',
        '/dag/steps/2/config/target/partitionBy NOT_ALLOWED',
        '/dag/steps/3/config/scope UNKNOWN_MEMBER',
        '/dag/steps/4/config/onSchemaChange ENUM',
      ],
    ],
    [
      'a load into files that cannot be',
      dag([
        sql('a'),
        load('l', ['a'], { target: FILES, mode: 'merge', mergeKey: ['id'] }),
        load('m', ['a'], { target: { ...FILES, path: '../x', format: 'xlsx' }, mode: 'append', gates: [QUARANTINING] }),
        load('n', ['a'], { target: FILES, mode: 'overwrite', scope: 'partition' }),
        load('o', ['a'], { target: { ...FILES, path: '{{ params.nobody }}' }, mode: 'append' }),
      ]),
      [
        '/dag/steps/1/config/mode SETTING_NOT_AVAILABLE',
        '/dag/steps/2/config/target/format ENUM',
        '/dag/steps/2/config/target/path PATTERN',
        '/dag/steps/2/config/gates/0/action SETTING_NOT_AVAILABLE',
        '/dag/steps/3/config/target/partitionBy REQUIRED',
        '/dag/steps/4/config/target/path TEMPLATE_INVALID',
      ],
    ],
    ['an unknown setting', dag([sql('a', [], { sqll: 'x' })]), ['/dag/steps/0/config/sqll UNKNOWN_MEMBER']],
    [
      'a setting that cannot be carried out',
      dag([
        sql('a', [], { gates: [QUARANTINING] }),
        {
          id: 'r',
          type: 'route',
          dependsOn: ['a'],
          config: { routes: [{ port: 'p', condition: 'true' }], gates: [QUARANTINING] },
        },
      ]),
      ['/dag/steps/0/config/gates/0/action SETTING_NOT_AVAILABLE', '/dag/steps/1/config/gates SETTING_NOT_AVAILABLE'],
    ],
    [
      'gates of dates that no calendar has, and of ranges without a day',
      dag([
        sql('a', [], {
          gates: [
            dated({ min: '2026-13-01' }),
            dated({ min: '2026-01-01', max: '2026-02-30' }),
            dated({ max: '2026-02-28T25:00:00Z' }),
            dated({ min: '2026-02-01', max: '2026-01-31' }),
            dated({ min: '-1d', max: '-2d' }),
            dated({ min: '2026-02-01T10:00Z', max: '2026-02-01' }),
            dated({ min: '2999-01-01', max: '+0d' }),
            dated({ min: '2024-02-29', max: '2024-02-29' }),
          ].map((gate, index) => ({ ...gate, id: `g${index}` })),
        }),
      ]),
      [
        '/dag/steps/0/config/gates/0/config/min DATE_INVALID',
        '/dag/steps/0/config/gates/1/config/max DATE_INVALID',
        '/dag/steps/0/config/gates/2/config/max DATE_INVALID',
        '/dag/steps/0/config/gates/3/config/max RANGE_REVERSED',
        '/dag/steps/0/config/gates/4/config/max RANGE_REVERSED',
      ],
    ],
    [
      'a target whose quarantine could not be named',
      dag([
        sql('a'),
        load('l', ['a'], {
          target: { kind: 'dataset', name: 'x'.repeat(190) },
          mode: 'append',
          gates: [QUARANTINING],
        }),
      ]),
      ['/dag/steps/1/config/target/name MAX_LENGTH'],
    ],
    [
      'ports of a step that has none',
      dag([sql('a'), { ...sql('b', ['a']), fromPorts: { a: 'x' } }]),
      ['/dag/steps/1/fromPorts/a PORT_UNKNOWN'],
    ],
    [
      'a reference to an unknown parameter',
      dag([sql('a', [], { sql: 'SELECT {{ params.nobody }} AS x' })]),
      ['/dag/steps/0/config/sql TEMPLATE_INVALID'],
    ],
    [
      'merges by columns that are known not to be there',
      dag([
        sql('a'),
        {
          id: 'c',
          type: 'transform_code',
          config: { code: 'x', outputSchema: [{ name: 'Id', type: 'integer' }] },
          dependsOn: ['a'],
        },
        load('l', ['c'], { mode: 'merge', mergeKey: ['id'], dedupeOrderBy: [{ column: 'ID' }] }),
        load('m', ['c'], {
          target: TABLE,
          mode: 'merge',
          mergeKey: ['Id', 'typo'],
          deleteColumn: 'gone',
          dedupeOrderBy: [{ column: 'Id' }, { column: 'day' }],
        }),
      ]),
      [
        '/dag/steps/3/config/mergeKey/1 COLUMN_UNKNOWN',
        '/dag/steps/3/config/deleteColumn COLUMN_UNKNOWN',
        '/dag/steps/3/config/dedupeOrderBy/1/column COLUMN_UNKNOWN',
      ],
    ],
    [
      'partitions by columns that are known not to be there, by one column twice, or by all that there are',
      dag([
        extract('e', {
          config: { sourceId: SOURCE, object: { path: 'a.csv' }, columns: ['Day', 'n'] },
        }),
        extract('f'),
        load('l', ['e'], { target: { ...FILES, partitionBy: ['day'] } }),
        load('m', ['e'], { target: { ...FILES, partitionBy: ['Day', 'typo'] } }),
        load('n', ['e'], { target: { ...TABLE, partitionBy: ['gone'] }, mode: 'overwrite', scope: 'partition' }),
        load('q', ['e'], { target: { ...FILES, partitionBy: ['n', 'day'] } }),
        load('r', ['e'], { target: { ...TABLE, partitionBy: ['n', 'Day'] }, mode: 'overwrite', scope: 'partition' }),
        load('o', ['f'], { target: { ...FILES, partitionBy: ['typo'] }, mode: 'overwrite', scope: 'partition' }),
        load('p', ['f'], { target: { ...FILES, partitionBy: ['day', 'n', 'DAY'] } }),
      ]),
      [
        '/dag/steps/8/config/target/partitionBy/2 DUPLICATE',
        '/dag/steps/3/config/target/partitionBy/1 COLUMN_UNKNOWN',
        '/dag/steps/4/config/target/partitionBy/0 COLUMN_UNKNOWN',
        '/dag/steps/5/config/target/partitionBy NO_COLUMNS',
      ],
    ],
    [
      'columns whose known types do not serve',
      dag([
        sql('a'),
        {
          id: 'c',
          type: 'transform_code',
          config: {
            code: 'x',
            outputSchema: [
              { name: 'id', type: 'integer' },
              { name: 'note', type: 'string' },
              { name: 'gone', type: 'boolean' },
              { name: 'doc', type: 'json' },
            ],
          },
          dependsOn: ['a'],
        },
        load('l', ['c'], { mode: 'merge', mergeKey: ['id'], deleteColumn: 'note' }),
        load('m', ['c'], { mode: 'merge', mergeKey: ['id'], deleteColumn: 'gone' }),
        load('n', ['c'], {
          gates: [
            { id: 'a', type: 'email', column: 'id', action: 'fail' },
            { id: 'b', type: 'value_range', column: 'note', action: 'warn', config: { min: 1 } },
            { id: 'c', type: 'value_range', column: 'id', action: 'warn', config: { min: 1 } },
            { id: 'd', type: 'allowed_values', column: 'doc', action: 'drop', config: { values: ['x'] } },
            { id: 'e', type: 'allowed_values', column: 'gone', action: 'drop', config: { values: [true] } },
            { id: 'f', type: 'unique', column: 'doc', action: 'drop' },
          ],
        }),
      ]),
      [
        '/dag/steps/2/config/deleteColumn COLUMN_TYPE',
        '/dag/steps/4/config/gates/0/column COLUMN_TYPE',
        '/dag/steps/4/config/gates/1/column COLUMN_TYPE',
        '/dag/steps/4/config/gates/3/column COLUMN_TYPE',
      ],
    ],
    [
      'references where nothing is filled in',
      dag([
        {
          id: 'a',
          type: 'extract',
          config: {
            sourceId: SOURCE,
            object: { table: 'of {{ run.id }}' },
            columns: ['{{ run.id }}'],
            filter: 'id > {{ params.nobody }}',
          },
        },
        load('l', ['a'], { target: { kind: 'dataset', name: 'sales {{ params.nobody }}' } }),
        load('m', ['a'], { target: { ...TABLE, table: '\\{{ run.id }}' }, mode: 'append' }),
        sql('b', ['a'], {
          gates: [
            {
              ...QUARANTINING,
              id: 'g',
              action: 'warn',
              type: 'allowed_values',
              config: { values: ['{{ secrets.k }}'] },
            },
          ],
        }),
        { id: 'c', type: 'transform_code', config: { code: '`{{ anything }}`' }, dependsOn: ['a'] },
      ]),
      [
        '/dag/steps/0/config/filter TEMPLATE_INVALID',
        '/dag/steps/0/config/columns/0 TEMPLATE_INVALID',
        '/dag/steps/1/config/target/name TEMPLATE_INVALID',
        '/dag/steps/2/config/target/table TEMPLATE_INVALID',
        '/dag/steps/3/config/gates/0/config/values/0 SECRET_NOT_ALLOWED',
      ],
    ],
    [
      'secrets, but in the env of code',
      dag([
        sql('a', [], { sql: 'SELECT {{ secrets.k }} AS x' }),
        {
          id: 'c',
          type: 'transform_code',
          config: {
            code: 'x',
            env: {
              KEY: "Bearer '{{ secrets.k }}' -- {{secrets.K_2}}",
              DASH: '{{ secrets.a-b }}',
              DEEP: '{{ secrets.a.b }}',
              INDEX: "{{ secrets['a'] }}",
              TEXT: String.raw`\{{ secrets.a }} {{ params.p }}`,
              SLASH: String.raw`\\{{ secrets.a }} \\{{ params.q }}`,
            },
          },
          dependsOn: ['a'],
        },
        load('l', ['c'], {
          target: { kind: 'files', sourceId: SOURCE, path: 'out/-- {{ secrets.k }}.csv', format: 'csv' },
          mode: 'overwrite',
        }),
      ]),
      [
        '/dag/steps/0/config/sql SECRET_NOT_ALLOWED',
        '/dag/steps/1/config/env/DASH TEMPLATE_INVALID',
        '/dag/steps/1/config/env/DEEP TEMPLATE_INVALID',
        '/dag/steps/1/config/env/INDEX TEMPLATE_INVALID',
        '/dag/steps/1/config/env/TEXT TEMPLATE_INVALID',
        '/dag/steps/1/config/env/SLASH TEMPLATE_INVALID',
        '/dag/steps/2/config/target/path SECRET_NOT_ALLOWED',
      ],
    ],
    [
      'overlapping blocks',
      dag([sql('a')], {
        forEach: [
          { id: 'x', items: [1], steps: ['a'] },
          { id: 'y', items: [1], steps: ['a'] },
        ],
      }),
      ['/dag/forEach/1/steps/0 FOR_EACH_OVERLAP'],
    ],
    [
      'block items from a parameter that is no list',
      dag([sql('a')], {
        parameters: [{ name: 'p', type: 'string' }],
        forEach: [{ id: 'x', items: '{{ params.p }}', steps: ['a'] }],
      }),
      ['/dag/forEach/0/items TYPE'],
    ],
    [
      'block items that no run can be given',
      dag([sql('a')], { forEach: [{ id: 'x', items: [1, 9007199254740992], steps: ['a'] }] }),
      ['/dag/forEach/0/items/1 NUMBER_RANGE'],
    ],
    [
      'a cron text that never fires',
      dag([sql('a')], { schedule: { cron: '0 0 30 2 *' } }),
      ['/dag/schedule/cron CRON_NEVER'],
    ],
    [
      'a schedule without a rhythm',
      dag([sql('a')], { schedule: { timezone: 'UTC' } }),
      ['/dag/schedule/cron REQUIRED'],
    ],
    ['nothing about schedules that are off or empty', dag([sql('a')], { schedule: { enabled: false } }), []],
    [
      'a default of another type',
      dag([sql('a')], { parameters: [{ name: 'n', type: 'number', default: 'x' }] }),
      ['/dag/parameters/0/default TYPE'],
    ],
    [
      'a parameter whose name no object holds',
      dag([sql('a')], { parameters: [{ name: '__proto__', type: 'string' }] }),
      ['/dag/parameters/0/name PATTERN'],
    ],
    [
      'a mode that every object has',
      dag([sql('a'), load('b', ['a'], { mode: 'constructor' })]),
      ['/dag/steps/1/config/mode ENUM'],
    ],
    ['an unknown member of the envelope', { ...dag([sql('a')]), owner: 'me' }, ['/dag/owner UNKNOWN_MEMBER']],
    ['a version of the future', { ...dag([sql('a')]), version: 2 }, ['/dag/version CONST']],
    ['no steps', dag([]), ['/dag/steps MIN_ITEMS']],
  ])('refuses %s', (_title, value, expected) => {
    expect(issues(value)).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ['an operator without its value', { param: 's', op: 'eq' }, 'REQUIRED'],
    ['a number for a string', { param: 's', op: 'eq', value: 1 }, 'WHEN_TYPE_CONFLICT'],
    ['a single value for in', { param: 's', op: 'in', value: 'a' }, 'WHEN_TYPE_CONFLICT'],
    ['a value for truthy', { param: 's', op: 'truthy', value: 'a' }, 'WHEN_TYPE_CONFLICT'],
    ['an unknown parameter', { param: 'x', op: 'truthy' }, 'PARAMETER_UNKNOWN'],
  ])('refuses a condition with %s', (_title, when, code) => {
    const conditional = { ...sql('a'), when } as Step;
    const parameters = [{ name: 's', type: 'string' } as const];
    expect(findDagIssues(dag([conditional], { parameters })).map((issue) => issue.code)).toEqual([code]);
  });

  it('reports all issues of a definition at once', () => {
    const bad = dag([sql('a', ['x', 'a']), load('l', [], { mode: 'merge', target: { kind: 'dataset' } })]);
    expect(issues(bad)).toEqual([
      '/dag/steps/0/dependsOn/0 STEP_UNKNOWN',
      '/dag/steps/0/dependsOn/1 STEP_SELF_REFERENCE',
      '/dag/steps/1/config/mergeKey REQUIRED',
      '/dag/steps/1/config/target SHAPE',
      '/dag/steps/1/config/input REQUIRED',
    ]);
  });
});
