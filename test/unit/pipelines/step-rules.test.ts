import { describe, expect, it } from 'vitest';
import { findDagIssues } from '../../../shared/domains/pipelines/definition/dag-issues.ts';

const SOURCE = '01999999-0000-7000-8000-000000000001';
const TABLE = { sourceId: SOURCE, object: { schema: 'public', table: 't' } };
const INCREMENTAL = { cursorColumn: 'at' };
const DATASET = { kind: 'dataset', name: 'd' };
const KEYED = { target: DATASET, mode: 'merge', mergeKey: ['id'] };
const ROUTES = [{ port: 'a', condition: 'true' }];
const ranged = (id: string, config: object) => ({ id, type: 'value_range', column: 'x', action: 'warn', config });
const CODE = 'function transform(rows) { return rows; }';
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const text = (length: number) => 'x'.repeat(length);

const step = (id: string, type: string, config: object, more: object = {}) => ({ id, type, config, ...more });
const read = (object: object) => step('own', 'extract', { sourceId: SOURCE, object });
const FIRST = step('first', 'transform_sql', { sql: 'SELECT 1 AS id', inputs: {} });
const behind = (type: string, config: object, more: object = {}) =>
  step('own', type, config, { dependsOn: ['first'], ...more });
const dag = (own: object, more: object = {}) => ({ version: 1, steps: [FIRST, own], ...more });
const issues = (value: unknown) => findDagIssues(value).map(({ pointer, code }) => `${pointer} ${code}`);
/** Places in the settings of the step behind the first one. */
const ofOwn = (value: unknown) => issues(value).map((issue) => issue.replace('/dag/steps/1/', ''));

describe('what a definition may not say', () => {
  it.each<[string, object, string[]]>([
    // Extracts
    ['reads nothing', step('own', 'extract', { sourceId: SOURCE }), ['config/object REQUIRED']],
    ['reads what is no object', step('own', 'extract', { sourceId: SOURCE, object: {} }), ['config/object SHAPE']],
    [
      'reads incrementally without a cursor',
      step('own', 'extract', { ...TABLE, mode: 'incremental' }),
      ['config/incremental REQUIRED'],
    ],
    [
      'has a cursor and reads everything',
      step('own', 'extract', { ...TABLE, incremental: INCREMENTAL }),
      ['config/incremental NOT_ALLOWED'],
    ],
    [
      'reads without the key that tells its rows apart',
      step('own', 'extract', {
        ...TABLE,
        columns: ['ID', 'at'],
        mode: 'incremental',
        incremental: { ...INCREMENTAL, primaryKey: ['id', 'part'] },
      }),
      ['config/columns REQUIRED'],
    ],
    [
      'reads without its cursor',
      step('own', 'extract', { ...TABLE, columns: ['id', 'AT_'], mode: 'incremental', incremental: INCREMENTAL }),
      ['config/columns REQUIRED'],
    ],
    [
      'parts values by what ends their row, and quotes them by what is more than a byte',
      read({ path: 'a.csv', options: { delimiter: '\n', quote: '’' } }),
      ['config/object/options/delimiter PATTERN', 'config/object/options/quote PATTERN'],
    ],
    [
      'parts values by the quote',
      read({ path: 'a', format: 'csv', options: { delimiter: '"' } }),
      ['config/object/options/delimiter NOT_ALLOWED'],
    ],
    [
      'takes for null what holds a delimiter or a quote',
      read({ path: 'a.tsv.gz', options: { delimiter: ';', nullStrings: ['', 'N/A', '-;-', '"', '\0'] } }),
      [
        'config/object/options/nullStrings/2 NOT_ALLOWED',
        'config/object/options/nullStrings/3 NOT_ALLOWED',
        'config/object/options/nullStrings/4 NOT_ALLOWED',
      ],
    ],
    [
      'names a column twice',
      step('own', 'extract', { ...TABLE, columns: ['a', 'a'] }),
      ['config/columns UNIQUE_ITEMS'],
    ],
    [
      'reads the tables of a stream as files',
      step('own', 'extract', { sourceId: SOURCE, object: { stream: 's', path: 'a' } }),
      ['config/object/path UNKNOWN_MEMBER'],
    ],
    // SQL
    ['has neither statement nor operations', behind('transform_sql', {}), ['config/sql REQUIRED']],
    [
      'has a statement and operations',
      behind('transform_sql', { sql: 'SELECT 1', ops: [{ op: 'limit', count: 1 }] }),
      ['config/ops NOT_ALLOWED'],
    ],
    [
      'calls an input by what is no name',
      behind('transform_sql', { sql: 'SELECT 1', inputs: JSON.parse('{"my first": "first", "__proto__": "first"}') }),
      ['config/inputs/my first UNKNOWN_MEMBER', 'config/inputs/__proto__ UNKNOWN_MEMBER'],
    ],
    // Code
    [
      'has a variable that is no name',
      behind('transform_code', { code: CODE, env: { '1': 'one' } }),
      ['config/env/1 UNKNOWN_MEMBER'],
    ],
    [
      'names its input in two ways',
      behind('transform_code', { code: CODE, input: 'first', inputs: { o: 'first' } }),
      ['config/inputs NOT_ALLOWED'],
    ],
    [
      'is code in an unknown language',
      behind('transform_code', { code: CODE, language: 'cobol' }),
      ['config/language ENUM'],
    ],
    [
      'names a column of its output twice',
      behind('transform_code', {
        code: CODE,
        outputSchema: [
          { name: 'id', type: 'integer' },
          { name: 'ID', type: 'string' },
        ],
      }),
      ['config/outputSchema/1/name DUPLICATE'],
    ],
    [
      'has a column of its output without a name, and a gate',
      behind('transform_code', {
        code: CODE,
        outputSchema: [null],
        gates: [{ id: 'g', type: 'not_null', column: 'id', action: 'fail' }],
      }),
      ['config/outputSchema/0 TYPE'],
    ],
    [
      'has a scale larger than its precision',
      behind('transform_code', { code: CODE, outputSchema: [{ name: 'id', type: 'decimal(4,5)' }] }),
      ['config/outputSchema/0/type PATTERN'],
    ],
    [
      'answers lists and structs that are none',
      behind('transform_code', {
        code: CODE,
        outputSchema: [
          'list(int)',
          'list(integer))',
          'struct(a integer, A string)',
          `${'list('.repeat(11)}date${')'.repeat(11)}`,
          'struct("a b" list(decimal(10,2)), c json)',
        ].map((type, index) => ({ name: `c${index}`, type })),
      }),
      [0, 1, 2, 3].map((index) => `config/outputSchema/${index}/type PATTERN`),
    ],
    // Routes
    ['has an unknown mode', behind('route', { routes: ROUTES, mode: 'any_match' }), ['config/mode ENUM']],
    // Loads
    ['loads into no place', behind('load', { mode: 'append' }), ['config/target REQUIRED']],
    ['loads in no way', behind('load', { target: DATASET }), ['config/mode REQUIRED']],
    ['loads in an unknown way', behind('load', { target: DATASET, mode: 'upsert' }), ['config/mode ENUM']],
    [
      'names its dataset in two ways',
      behind('load', { target: { ...DATASET, datasetId: SOURCE }, mode: 'append' }),
      ['config/target SHAPE'],
    ],
    ['names a key twice', behind('load', { ...KEYED, mergeKey: ['id', 'id'] }), ['config/mergeKey UNIQUE_ITEMS']],
    [
      'names a key in two spellings',
      behind('load', { ...KEYED, mergeKey: ['id', 'ID'] }),
      ['config/mergeKey/1 DUPLICATE'],
    ],
    [
      'has limits the wrong way round, or between which nothing lies',
      behind('load', {
        ...KEYED,
        gates: [
          ranged('a', { min: 2, max: 1 }),
          { id: 'b', type: 'row_count', action: 'warn', config: { min: 2, max: 1 } },
          { id: 'c', type: 'row_count', action: 'warn', config: { min: 1, max: 1 } },
          ranged('d', { min: 1, max: 1 }),
          ranged('e', { min: 1, max: 1, inclusive: false }),
          ranged('f', { min: 1, inclusive: false }),
          ranged('g', { min: 1, max: 1.5, inclusive: false }),
        ],
      }),
      [
        'config/gates/0/config/max RANGE_REVERSED',
        'config/gates/1/config/max RANGE_REVERSED',
        'config/gates/4/config/max RANGE_EMPTY',
      ],
    ],
    [
      'takes the values that a gate allows from a query, or has none',
      behind('load', {
        ...KEYED,
        gates: [{ query: 'SELECT 1' }, {}].map((config, index) => {
          const gate = { id: `g${index}`, type: 'allowed_values', column: 'id', action: 'warn' };
          return { ...gate, config };
        }),
      }),
      ['config/gates/0/config/query NOT_ALLOWED', 'config/gates/1/config/values REQUIRED'],
    ],
    [
      'takes away by its key in another spelling',
      behind('load', { ...KEYED, deleteColumn: 'ID' }),
      ['config/deleteColumn NOT_ALLOWED'],
    ],
    [
      'keeps a history by a column of the history',
      behind('load', { ...KEYED, mergeKey: ['id', '_Valid_From'], strategy: 'scd2' }),
      ['config/mergeKey/1 NOT_ALLOWED'],
    ],
    [
      'writes where the server keeps its own',
      behind('load', { target: { kind: 'table', sourceId: SOURCE, schema: 'pg_temp', table: 't' }, mode: 'append' }),
      ['config/target/schema NOT_ALLOWED'],
    ],
    [
      'writes where repeated loads are known by',
      behind('load', { target: { kind: 'table', sourceId: SOURCE, table: '_analytics_loads' }, mode: 'append' }),
      ['config/target/table NOT_ALLOWED'],
    ],
    ['names a column with a NUL', behind('load', { ...KEYED, mergeKey: ['a\0b'] }), ['config/mergeKey/0 PATTERN']],
    [
      'renames a column to one with a NUL',
      behind('transform_sql', { ops: [{ op: 'rename', map: { id: 'a\0b' } }] }),
      ['config/ops/0/map/id PATTERN'],
    ],
    ['merges in an unknown way', behind('load', { ...KEYED, strategy: 'guess' }), ['config/strategy ENUM']],
    [
      'takes away what it inserts only',
      behind('load', { ...KEYED, strategy: 'insert_only', deleteColumn: 'gone' }),
      ['config/deleteColumn NOT_ALLOWED'],
    ],
    [
      'takes away by a part of the key',
      behind('load', { ...KEYED, deleteColumn: 'id' }),
      ['config/deleteColumn NOT_ALLOWED'],
    ],
    [
      'keeps a history in a table of a source',
      behind('load', { ...KEYED, target: { kind: 'table', sourceId: SOURCE, table: 't' }, strategy: 'scd2' }),
      ['config/strategy ENUM'],
    ],
    ['has a key and appends', behind('load', { ...KEYED, mode: 'append' }), ['config/mergeKey UNKNOWN_MEMBER']],
    // What they wait for
    [
      'waits twice for one step',
      behind('load', { target: DATASET, mode: 'append' }, { dependsOn: ['first', 'first'] }),
      ['dependsOn/1 DUPLICATE', 'config/input REQUIRED'],
    ],
    ['has an unknown type', behind('transform_python', {}), ['type ENUM']],
    [
      'has an unknown member',
      behind('load', { target: DATASET, mode: 'append' }, { owner: 'me' }),
      ['owner UNKNOWN_MEMBER'],
    ],
  ])('a step that %s', (_what, own, expected) => {
    expect(ofOwn(dag(own))).toEqual(expected);
  });

  it('two inputs under one name', () => {
    const own = step('own', 'transform_sql', { sql: 'SELECT 1' }, { dependsOn: ['a-b', 'a_b'] });
    const both = ['a-b', 'a_b'].map((id) => ({ ...FIRST, id }));
    expect(issues({ version: 1, steps: [...both, own] })).toEqual(['/dag/steps/2/config/inputs REQUIRED']);
  });

  const load = behind('load', { target: DATASET, mode: 'append' });
  it.each<[string, object, string[]]>([
    [
      'two blocks of one name',
      {
        forEach: [
          { id: 'x', items: [1], steps: ['first'] },
          { id: 'x', items: [1], steps: ['own'] },
        ],
      },
      ['/dag/forEach/1/id DUPLICATE'],
    ],
    [
      'a block of an unknown step',
      { forEach: [{ id: 'x', items: [1], steps: ['z'] }] },
      ['/dag/forEach/0/steps/0 STEP_UNKNOWN'],
    ],
    [
      'a block over an unknown parameter',
      { forEach: [{ id: 'x', items: '{{ params.none }}', steps: ['own'] }] },
      ['/dag/forEach/0/items PARAMETER_UNKNOWN'],
    ],
    [
      'a parameter declared twice',
      {
        parameters: [
          { name: 'p', type: 'string' },
          { name: 'p', type: 'number' },
        ],
      },
      ['/dag/parameters/1/name DUPLICATE'],
    ],
    ['a parameter ofan unknown type', { parameters: [{ name: 'p', type: 'date' }] }, ['/dag/parameters/0/type ENUM']],
    [
      'a parameter whose name is none',
      { parameters: [{ name: '1p', type: 'string' }] },
      ['/dag/parameters/0/name PATTERN'],
    ],
    [
      'a rhythm and times at once',
      { schedule: { cron: '0 6 * * *', everySeconds: 60 } },
      ['/dag/schedule/everySeconds NOT_ALLOWED'],
    ],
    [
      'a zone of nowhere',
      { schedule: { everySeconds: 60, timezone: 'Europe/Atlantis' } },
      ['/dag/schedule/timezone TIMEZONE_UNKNOWN'],
    ],
    ['an unknown trigger', { trigger: { kind: 'email' } }, ['/dag/trigger/kind ENUM']],
    ['a trigger that is none', { trigger: 'daily' }, ['/dag/trigger TYPE']],
    [
      'a trigger with what other kinds have',
      { trigger: { kind: 'pipeline', path: '*', on: 'friday' } },
      ['/dag/trigger/pipelineId REQUIRED', '/dag/trigger/path UNKNOWN_MEMBER', '/dag/trigger/on ENUM'],
    ],
    ['an unknown policy', { concurrency: { onOverlap: 'replace' } }, ['/dag/concurrency/onOverlap ENUM']],
  ])('%s', (_what, more, expected) => {
    expect(issues(dag(load, more))).toEqual(expected);
  });
});

interface Limit {
  what: string;
  least?: number;
  most: number;
  at: string;
  of: (value: number) => object;
}

const identifiers = (count: number) => times(count, (index) => `c${index}`);

const LIMITS: Limit[] = [
  {
    what: 'columns of an extract',
    least: 1,
    most: 1000,
    at: 'columns',
    of: (n) => step('own', 'extract', { ...TABLE, columns: identifiers(n) }),
  },
  {
    what: 'characters of a column',
    least: 1,
    most: 63,
    at: 'columns/0',
    of: (n) => step('own', 'extract', { ...TABLE, columns: [text(n)] }),
  },
  {
    what: 'characters of a path',
    least: 1,
    most: 1024,
    at: 'object/path',
    of: (n) => step('own', 'extract', { sourceId: SOURCE, object: { path: text(n) } }),
  },
  {
    what: 'columns of a key',
    least: 1,
    most: 16,
    at: 'incremental/primaryKey',
    of: (n) =>
      step('own', 'extract', {
        ...TABLE,
        mode: 'incremental',
        incremental: { ...INCREMENTAL, primaryKey: identifiers(n) },
      }),
  },
  {
    what: 'seconds of a lag',
    least: 0,
    most: 31_536_000,
    at: 'incremental/lagSeconds',
    of: (n) =>
      step('own', 'extract', { ...TABLE, mode: 'incremental', incremental: { ...INCREMENTAL, lagSeconds: n } }),
  },
  {
    what: 'characters of a filter',
    least: 1,
    most: 10_000,
    at: 'filter',
    of: (n) => step('own', 'extract', { ...TABLE, filter: text(n) }),
  },
  {
    what: 'characters of a statement',
    least: 1,
    most: 100_000,
    at: 'sql',
    of: (n) => behind('transform_sql', { sql: text(n) }),
  },
  {
    what: 'characters of code',
    least: 1,
    most: 200_000,
    at: 'code',
    of: (n) => behind('transform_code', { code: text(n) }),
  },
  {
    what: 'megabytes of a sandbox',
    least: 16,
    most: 512,
    at: 'memoryMb',
    of: (n) => behind('transform_code', { code: CODE, memoryMb: n }),
  },
  {
    what: 'variables of code',
    most: 50,
    at: 'env',
    of: (n) =>
      behind('transform_code', { code: CODE, env: Object.fromEntries(identifiers(n).map((name) => [name, ''])) }),
  },
  {
    what: 'characters of a variable',
    most: 4096,
    at: 'env/A',
    of: (n) => behind('transform_code', { code: CODE, env: { A: text(n) } }),
  },
  {
    what: 'columns of an output',
    least: 1,
    most: 1000,
    at: 'outputSchema',
    of: (n) =>
      behind('transform_code', { code: CODE, outputSchema: identifiers(n).map((name) => ({ name, type: 'string' })) }),
  },
  {
    what: 'ports of a route',
    least: 1,
    most: 50,
    at: 'routes',
    of: (n) => behind('route', { routes: identifiers(n).map((port) => ({ port, condition: 'true' })) }),
  },
  {
    what: 'columns of a merge key',
    least: 1,
    most: 16,
    at: 'mergeKey',
    of: (n) => behind('load', { ...KEYED, mergeKey: identifiers(n) }),
  },
  {
    what: 'columns of an order',
    least: 1,
    most: 16,
    at: 'dedupeOrderBy',
    of: (n) => behind('load', { ...KEYED, dedupeOrderBy: identifiers(n).map((column) => ({ column })) }),
  },
  {
    what: 'columns of partitions',
    least: 1,
    most: 8,
    at: 'target/partitionBy',
    of: (n) =>
      behind('load', {
        target: { kind: 'files', sourceId: SOURCE, path: 'out', format: 'csv', partitionBy: identifiers(n) },
        mode: 'append',
      }),
  },
  {
    what: 'characters of a folder',
    least: 1,
    most: 512,
    at: 'target/path',
    of: (n) =>
      behind('load', { target: { kind: 'files', sourceId: SOURCE, path: text(n), format: 'csv' }, mode: 'append' }),
  },
  {
    what: 'gates',
    least: 1,
    most: 20,
    at: 'gates',
    of: (n) =>
      behind('load', {
        target: DATASET,
        mode: 'append',
        gates: identifiers(n).map((id) => ({ id, type: 'not_null', column: 'id', action: 'warn' })),
      }),
  },
  {
    what: 'percent that may fail',
    least: 0,
    most: 100,
    at: 'gates/0/maxFailedPercent',
    of: (n) =>
      behind('load', {
        target: DATASET,
        mode: 'append',
        gates: [{ id: 'g', type: 'not_null', column: 'id', action: 'fail', maxFailedPercent: n }],
      }),
  },
];

describe('the settings of a step', () => {
  it.each(LIMITS)('have $what from $least to $most', ({ least, most, at, of }) => {
    for (const allowed of [least ?? 0, most]) expect(ofOwn(dag(of(allowed))), `${allowed}`).toEqual([]);
    for (const refused of [...(least === undefined ? [] : [least - 1]), most + 1]) {
      const found = ofOwn(dag(of(refused)));
      expect(found.length, `${refused}`).toBeGreaterThan(0);
      for (const issue of found) expect(issue, `${refused}`).toMatch(new RegExp(`^config/${at}[/ ]`));
    }
  });
});
