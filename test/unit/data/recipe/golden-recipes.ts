/** What most examples begin with. */
export const base = { op: 'select', columns: ['id', 'region'] };
/** Each operation with the rows that come of it. */
export const GOLDEN: [string, unknown[], unknown[][]][] = [
  [
    'select',
    [
      { op: 'select', columns: ['region', 'ID'] },
      { op: 'limit', count: 1 },
    ],
    [['eu', 1]],
  ],
  [
    'drop',
    [
      { op: 'drop', columns: ['the "name', 'doc', 'amount'] },
      { op: 'limit', count: 1 },
    ],
    [[1, 'eu']],
  ],
  ['rename', [base, { op: 'rename', map: { region: 'a "b" {{ c }}' } }, { op: 'limit', count: 1 }], [[1, 'eu']]],
  ['reorder', [base, { op: 'reorder', columns: ['region'] }, { op: 'limit', count: 1 }], [['eu', 1]]],
  [
    'filter',
    [base, { op: 'filter', condition: "region = 'eu' -- only" }],
    [
      [1, 'eu'],
      [3, 'eu'],
    ],
  ],
  [
    'derive',
    [base, { op: 'derive', column: 'twice', expression: 'id * {{ params.n }}' }, { op: 'limit', count: 2 }],
    [
      [1, 'eu', 2],
      [2, 'us', 4],
    ],
  ],
  [
    'cast',
    [base, { op: 'cast', column: 'region', type: 'integer', onError: 'null' }, { op: 'limit', count: 1 }],
    [[1, null]],
  ],
  [
    'fill by a value',
    [base, { op: 'fill', column: 'region', value: "'; DROP {{ x }}" }, { op: 'limit', count: 1, offset: 3 }],
    [[3, "'; DROP {{ x }}"]],
  ],
  [
    'fill forward',
    [base, { op: 'fill', column: 'region', method: 'forward' }, { op: 'limit', count: 1, offset: 3 }],
    [[3, 'eu']],
  ],
  [
    'fill backward',
    [
      { op: 'select', columns: ['id', 'amount'] },
      { op: 'fill', column: 'amount', method: 'backward' },
      { op: 'limit', count: 1, offset: 1 },
    ],
    [[2, '7.0']],
  ],
  [
    'fill by the mean',
    [
      { op: 'select', columns: ['id', 'amount'] },
      { op: 'fill', column: 'amount', method: 'mean' },
      { op: 'filter', condition: 'id = 2' },
    ],
    [[2, '8.2']],
  ],
  ['replace', [base, { op: 'replace', column: 'region', from: 'e', to: "'" }, { op: 'limit', count: 1 }], [[1, "'u"]]],
  [
    'replace by a pattern',
    [base, { op: 'replace', column: 'region', from: '^(.).*', to: '\\1', regex: true }, { op: 'limit', count: 1 }],
    [[1, 'e']],
  ],
  [
    'split',
    [
      { op: 'select', columns: ['the "name'] },
      { op: 'split', column: 'the "name', delimiter: ' ', into: ['first', 'last'] },
      { op: 'drop', columns: ['the "name'] },
      { op: 'limit', count: 1 },
    ],
    [['Ada', 'Lovelace']],
  ],
  [
    'concat',
    [
      base,
      { op: 'concat', columns: ['region', 'id'], into: 'both', separator: '-' },
      { op: 'select', columns: ['both'] },
    ],
    [['eu-1'], ['us-2'], ['eu-3'], ['3']],
  ],
  [
    'extract',
    [base, { op: 'extract', column: 'region', pattern: 'e(.)', into: 'letter' }, { op: 'select', columns: ['letter'] }],
    [['u'], [null], ['u'], [null]],
  ],
  [
    'text',
    [
      { op: 'select', columns: ['the "name'] },
      { op: 'text', column: 'the "name', fn: 'title' },
      { op: 'limit', count: 2 },
    ],
    [['Ada Lovelace'], ['Grace Hopper']],
  ],
  [
    'parse_json',
    [
      { op: 'parse_json', column: 'doc', paths: { b: '$.a.b' } },
      { op: 'select', columns: ['b'] },
      { op: 'limit', count: 2 },
    ],
    [['x'], [null]],
  ],
  [
    'flatten',
    [
      base,
      { op: 'limit', count: 1 },
      { op: 'derive', column: 'each', expression: '[id, 9]' },
      { op: 'cast', column: 'region', type: 'string' },
      { op: 'select', columns: ['each'] },
      { op: 'flatten', column: 'each' },
    ],
    [[1], [9]],
  ],
  [
    'flatten of JSON',
    [
      base,
      { op: 'derive', column: 'each', expression: `CASE id WHEN 1 THEN '["a", {"b": 1}]' WHEN 2 THEN '[]' END::JSON` },
      { op: 'cast', column: 'each', type: 'json' },
      { op: 'flatten', column: 'each' },
      { op: 'parse_json', column: 'each', paths: { text: '$', b: '$.b' } },
      { op: 'select', columns: ['id', 'text', 'b'] },
    ],
    [
      [1, 'a', null],
      [1, '{"b":1}', '1'],
    ],
  ],
  [
    'dedupe',
    [base, { op: 'dedupe', keys: ['id'] }, { op: 'sort', by: [{ column: 'id' }] }],
    [
      [1, 'eu'],
      [2, 'us'],
      [3, 'eu'],
    ],
  ],
  [
    'dedupe by an order',
    [
      base,
      { op: 'dedupe', keys: ['region'], orderBy: [{ column: 'id', direction: 'desc' }] },
      { op: 'sort', by: [{ column: 'id' }, { column: 'region' }] },
    ],
    [
      [2, 'us'],
      [3, 'eu'],
      [3, null],
    ],
  ],
  [
    'sort',
    [
      base,
      { op: 'sort', by: [{ column: 'region', direction: 'desc' }, { column: 'id' }] },
      { op: 'derive', column: 'x', expression: '1' },
      { op: 'limit', count: 2 },
    ],
    [
      [2, 'us', 1],
      [1, 'eu', 1],
    ],
  ],
  [
    'aggregate',
    [
      {
        op: 'aggregate',
        groupBy: ['region'],
        measures: [
          { fn: 'count', as: 'n' },
          { fn: 'sum', column: 'amount', as: 'total' },
          { fn: 'count_distinct', column: 'id', as: 'ids' },
        ],
      },
      { op: 'sort', by: [{ column: 'region' }] },
    ],
    [
      ['eu', 2, '17.5', 2],
      ['us', 1, null, 1],
      [null, 1, '7.0', 1],
    ],
  ],
  [
    'aggregate of all rows',
    [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'max', column: 'id', as: 'most' }] }],
    [[3]],
  ],
  [
    'window',
    [
      base,
      { op: 'window', partitionBy: ['region'], orderBy: [{ column: 'id' }], fn: 'row_number', as: 'nth' },
      { op: 'sort', by: [{ column: 'region' }, { column: 'nth' }] },
    ],
    [
      [1, 'eu', 1],
      [3, 'eu', 2],
      [2, 'us', 1],
      [3, null, 1],
    ],
  ],
  [
    'pivot',
    [
      { op: 'pivot', rows: ['id'], column: 'region', value: 'amount', fn: 'sum', values: ['eu', 'us'] },
      { op: 'sort', by: [{ column: 'id' }] },
    ],
    [
      [1, '10.5', null],
      [2, null, null],
      [3, '7.0', null],
    ],
  ],
  [
    'unpivot',
    [
      base,
      { op: 'limit', count: 1 },
      { op: 'cast', column: 'id', type: 'string' },
      { op: 'unpivot', columns: ['id', 'region'], nameColumn: 'name', valueColumn: 'value' },
    ],
    [
      ['id', '1'],
      ['region', 'eu'],
    ],
  ],
  [
    'join',
    [
      base,
      { op: 'join', with: 'regions', type: 'left', on: [{ left: 'region', right: 'region' }] },
      { op: 'sort', by: [{ column: 'id' }, { column: 'title' }] },
    ],
    [
      [1, 'eu', 'Europe', 1],
      [2, 'us', 'America', 2],
      [2, 'us', 'States', 3],
      [3, 'eu', 'Europe', 1],
      [3, null, null, null],
    ],
  ],
  [
    'full join',
    [
      base,
      { op: 'filter', condition: 'id = 1' },
      { op: 'join', with: 'regions', type: 'full', on: [{ left: 'region', right: 'region' }], suffix: '_r' },
      { op: 'sort', by: [{ column: 'title' }] },
    ],
    [
      [null, 'us', 'America', 2],
      [1, 'eu', 'Europe', 1],
      [null, 'us', 'States', 3],
    ],
  ],
  [
    'anti join',
    [base, { op: 'join', with: 'regions', type: 'anti', on: [{ left: 'region', right: 'region' }] }],
    [[3, null]],
  ],
  [
    'lookup',
    [
      base,
      { op: 'lookup', with: 'regions', on: [{ left: 'region', right: 'region' }], columns: ['title'] },
      { op: 'sort', by: [{ column: 'id' }, { column: 'title' }] },
    ],
    [
      [1, 'eu', 'Europe'],
      [2, 'us', 'America'],
      [3, 'eu', 'Europe'],
      [3, null, null],
    ],
  ],
  [
    'union by name',
    [base, { op: 'limit', count: 1 }, { op: 'union', with: ['regions'] }],
    [
      [1, 'eu', null],
      [1, 'eu', 'Europe'],
      [2, 'us', 'America'],
      [3, 'us', 'States'],
    ],
  ],
  [
    'intersect',
    [base, { op: 'intersect', with: 'regions' }, { op: 'sort', by: [{ column: 'id' }] }],
    [
      [1, 'eu'],
      [2, 'us'],
    ],
  ],
  [
    'except',
    [base, { op: 'except', with: 'regions' }, { op: 'sort', by: [{ column: 'region' }] }],
    [
      [3, 'eu'],
      [3, null],
    ],
  ],
  [
    'surrogate_key',
    [
      { op: 'select', columns: ['region'] },
      { op: 'surrogate_key', column: 'key' },
    ],
    [
      ['eu', 1],
      ['us', 2],
      ['eu', 3],
      [null, 4],
    ],
  ],
  [
    'assert that drops',
    [
      base,
      { op: 'assert', condition: 'region IS NOT NULL', action: 'drop' },
      { op: 'aggregate', groupBy: [], measures: [{ fn: 'count', as: 'n' }] },
    ],
    [[3]],
  ],
  [
    'sample',
    [base, { op: 'sample', rows: 2 }, { op: 'aggregate', groupBy: [], measures: [{ fn: 'count', as: 'n' }] }],
    [[2]],
  ],
];
