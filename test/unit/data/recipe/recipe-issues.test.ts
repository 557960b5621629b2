import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { opIssues } from '../../../../shared/data/recipe/compile.ts';
import { emitDuckDb } from '../../../../shared/data/recipe/duckdb.ts';
import { bindTemplates } from '../../../../shared/data/sql/templates.ts';
import { DataError } from '../../../../shared/platform/errors/data-error.ts';
import { rowsOf } from '../engine/open-test-engine.ts';
import { base } from './golden-recipes.ts';
import { compiled, given } from './recipe-setup.ts';

const pivot = { op: 'pivot', rows: ['id'], column: 'region', value: 'amount', fn: 'sum' };

describe('the validation of a recipe', () => {
  it.each<[string, unknown[], string]>([
    ['an unknown column', [{ op: 'drop', columns: ['nobody'] }], '/ops/0/columns/0 COLUMN_UNKNOWN'],
    [
      'a column that an operation before has taken away',
      [base, { op: 'sort', by: [{ column: 'amount' }] }],
      '/ops/1/by/0/column COLUMN_UNKNOWN',
    ],
    [
      'a sum of texts',
      [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'sum', column: 'region', as: 'x' }] }],
      '/ops/0/measures/0/column COLUMN_TYPE',
    ],
    ['a text operation on a number', [{ op: 'text', column: 'id', fn: 'upper' }], '/ops/0/column COLUMN_TYPE'],
    [
      'keys that can never be equal',
      [{ op: 'join', with: 'regions', type: 'inner', on: [{ left: 'id', right: 'title' }] }],
      '/ops/0/on/0 COLUMN_TYPE',
    ],
    ['an unknown input', [{ op: 'except', with: 'nobody' }], '/ops/0/with INPUT_UNKNOWN'],
    ['a name that is taken', [{ op: 'surrogate_key', column: 'ID' }], '/ops/0/column COLUMN_TAKEN'],
    ['nothing left', [base, { op: 'drop', columns: ['id', 'region'] }], '/ops/1/columns NO_COLUMNS'],
    ['neither value nor method', [{ op: 'fill', column: 'id' }], '/ops/0/value SHAPE'],
    [
      'a measure without a column',
      [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'max', as: 'x' }] }],
      '/ops/0/measures/0/column REQUIRED',
    ],
    ['a select of one column twice', [{ op: 'select', columns: ['id', 'ID'] }], '/ops/0/columns/1 COLUMN_TAKEN'],
    ['an order of one column twice', [{ op: 'reorder', columns: ['id', 'ID'] }], '/ops/0/columns/1 COLUMN_TAKEN'],
    ['values of a pivot that differ by case', [{ ...pivot, values: ['A', 'a'] }], '/ops/0/values/1 COLUMN_TAKEN'],
    ['values of a pivot that are called alike', [{ ...pivot, values: [1, '1'] }], '/ops/0/values/1 COLUMN_TAKEN'],
    ['a value of a pivot that is no name', [{ ...pivot, values: ['x', ''] }], '/ops/0/values/1 MIN_LENGTH'],
    ['a value of a pivot that is a column', [{ ...pivot, values: ['Id'] }], '/ops/0/values/0 COLUMN_TAKEN'],
    [
      'one name for both columns of an unpivot',
      [base, { op: 'unpivot', columns: ['region'], nameColumn: 'n', valueColumn: 'N' }],
      '/ops/1/valueColumn COLUMN_TAKEN',
    ],
    [
      'a column of an unpivot that is there',
      [base, { op: 'unpivot', columns: ['region'], nameColumn: 'ID', valueColumn: 'v' }],
      '/ops/1/nameColumn COLUMN_TAKEN',
    ],
    [
      'a measure that is called as its group',
      [{ op: 'aggregate', groupBy: ['region'], measures: [{ fn: 'count', as: 'REGION' }] }],
      '/ops/0/measures/0/as COLUMN_TAKEN',
    ],
    [
      'a group twice',
      [{ op: 'aggregate', groupBy: ['region', 'Region'], measures: [{ fn: 'count', as: 'n' }] }],
      '/ops/0/groupBy/1 COLUMN_TAKEN',
    ],
    [
      'parts of a text that are called alike',
      [base, { op: 'split', column: 'region', delimiter: '-', into: ['x', 'X'] }],
      '/ops/1/into/1 COLUMN_TAKEN',
    ],
    [
      'values of JSON that are called alike',
      [{ op: 'parse_json', column: 'doc', paths: { x: '$.a', X: '$.b' } }],
      '/ops/0/paths/X COLUMN_TAKEN',
    ],
    [
      'a column that is looked up twice',
      [base, { op: 'lookup', with: 'regions', on: [{ left: 'region', right: 'region' }], columns: ['title', 'Title'] }],
      '/ops/1/columns/1 COLUMN_TAKEN',
    ],
    [
      'a suffix that makes a name of the other side',
      [
        { op: 'select', columns: ['id'] },
        { op: 'join', with: 'suffixed', type: 'left', on: [{ left: 'id', right: 'n' }] },
      ],
      '/ops/1/suffix COLUMN_TAKEN',
    ],
    ['a value that would be rounded', [{ op: 'fill', column: 'id', value: 1.5 }], '/ops/0/value COLUMN_TYPE'],
    [
      'a text of a number that would be rounded',
      [{ op: 'fill', column: 'amount', value: '1.25' }],
      '/ops/0/value COLUMN_TYPE',
    ],
    ['a text that is no number', [{ op: 'fill', column: 'id', value: 'none' }], '/ops/0/value COLUMN_TYPE'],
    [
      'an empty text in the place of a number',
      [{ op: 'fill', column: 'amount', value: ' ' }],
      '/ops/0/value COLUMN_TYPE',
    ],
    [
      'a number in the place of a date',
      [
        { op: 'cast', column: 'region', type: 'date' },
        { op: 'fill', column: 'region', value: 0 },
      ],
      '/ops/1/value COLUMN_TYPE',
    ],
    [
      'a union of columns that are of several types',
      [
        { op: 'select', columns: ['id', 'region', 'amount'] },
        { op: 'union', with: ['suffixed'], by: 'position' },
      ],
      '/ops/1/with/0 COLUMN_TYPE',
    ],
  ])('reports %s with its place', async (_title, ops, expected) => {
    const engine = await given();
    const { issues } = await compiled(engine, ops);
    expect(issues.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });

  it.each([['integer'], ['double'], ['decimal(6,3)'], ['date'], ['timestamptz']])(
    'refuses nothing that the engine takes for the nulls of a column that is %s',
    async (type) => {
      const engine = await given();
      const text = fc.stringMatching(/^[ +-]?(\d|_|\.|e|x|b|-){0,4}$|^[+-]?(nan|inf|Infinity)$|^2026-01-0\d$/);
      const value = fc.oneof(text, fc.integer({ min: -9, max: 9 }), fc.boolean());
      await fc.assert(
        fc.asyncProperty(value, async (given) => {
          const ops = [
            { op: 'select', columns: ['region'] },
            { op: 'cast', column: 'region', type, onError: 'null' },
            { op: 'fill', column: 'region', value: given },
          ];
          const { rows, issues } = await compiled(engine, ops);
          const [issue] = issues.filter(({ message }) => !message.includes('rounded'));
          const { sql, params } = emitDuckDb(rows, bindTemplates as never);
          const answer = await rowsOf(engine, sql, params).catch((error) => error);
          if (issue) expect(answer, issue.message).toBeInstanceOf(DataError);
        }),
        { numRuns: 100, examples: [['+-0']] },
      );
    },
  );

  it('names the column that is renamed and the one whose name it would have', async () => {
    const { issues } = await compiled(await given(), [base, { op: 'rename', map: { region: 'ID' } }]);
    expect(issues).toMatchObject([
      { pointer: '/ops/1/map', code: 'COLUMN_TAKEN', message: 'id and region would both be called ID' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['an unknown operation', { op: 'explode' }, '/ops/0/op ENUM'],
    ['an operation without its name', {}, '/ops/0/op REQUIRED'],
    ['an unknown setting', { op: 'limit', count: 1, of: 'x' }, '/ops/0/of UNKNOWN_MEMBER'],
    ['a setting that is missing', { op: 'filter' }, '/ops/0/condition REQUIRED'],
    ['flowlets', { op: 'flowlet', flowletId: 'x' }, '/ops/0/op SETTING_NOT_AVAILABLE'],
  ])('refuses %s', (_title, op, expected) => {
    expect(opIssues([op], '/ops').map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });
});
