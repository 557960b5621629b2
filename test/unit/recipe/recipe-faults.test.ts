import { describe, expect, it } from 'vitest';
import { opFaults } from '../../../shared/recipe/compile.ts';
import { base } from './golden-recipes.ts';
import { compiled, given } from './recipe-bench.ts';

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
    ['an input of nobody', [{ op: 'except', with: 'nobody' }], '/ops/0/with INPUT_UNKNOWN'],
    ['a name that is taken', [{ op: 'surrogate_key', column: 'ID' }], '/ops/0/column COLUMN_TAKEN'],
    ['nothing left', [base, { op: 'drop', columns: ['id', 'region'] }], '/ops/1/columns NO_COLUMNS'],
    ['neither value nor method', [{ op: 'fill', column: 'id' }], '/ops/0/value SHAPE'],
    [
      'a measure without a column',
      [{ op: 'aggregate', groupBy: [], measures: [{ fn: 'max', as: 'x' }] }],
      '/ops/0/measures/0/column REQUIRED',
    ],
  ])('tells of %s with its place', async (_title, ops, expected) => {
    const engine = await given();
    const { faults } = await compiled(engine, ops);
    expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });

  it('names the column that is renamed and the one whose name it would have', async () => {
    const { faults } = await compiled(await given(), [base, { op: 'rename', map: { region: 'ID' } }]);
    expect(faults).toMatchObject([
      { pointer: '/ops/1/map', code: 'COLUMN_TAKEN', message: 'id and region would both be called ID' },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['an operation of nobody', { op: 'explode' }, '/ops/0/op ENUM'],
    ['an operation without its name', {}, '/ops/0/op REQUIRED'],
    ['a setting of nobody', { op: 'limit', count: 1, of: 'x' }, '/ops/0/of UNKNOWN_MEMBER'],
    ['a setting that is missing', { op: 'filter' }, '/ops/0/condition REQUIRED'],
    ['flowlets', { op: 'flowlet', flowletId: 'x' }, '/ops/0/op SETTING_NOT_AVAILABLE'],
  ])('refuses %s', (_title, op, expected) => {
    expect(opFaults([op], '/ops').map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([expected]);
  });
});
