import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { dagOf, finishedRun, givenPipeline, load, runThatIs, sql, startedRun } from './given.ts';

/** Runs one load after another into the dataset `people`, each of its own rows. */
async function loaded(api: Api, config: object, ...batches: string[]) {
  const runs = [];
  for (const values of batches) {
    const rows = sql('rows', values);
    runs.push(
      (
        await finishedRun(
          api,
          dagOf(rows, load('keep', 'rows', 'people', { mode: 'merge', mergeKey: ['id'], ...config })),
        )
      ).run,
    );
  }
  return runs;
}
const people = (values: string, names = 'id, name') => `SELECT * FROM (VALUES ${values}) v(${names})`;
const read = async (api: Api, query = 'SELECT * FROM people ORDER BY ALL') =>
  (await api.as('editor').post('/api/query', { sql: query })).body.rows;

describe('a merge', () => {
  it('replaces all rows of a key by all rows of the batch with delete_insert', async ({ api }) => {
    const [first, second] = await loaded(
      api,
      { strategy: 'delete_insert' },
      people("(1, 'a'), (1, 'b'), (2, 'c')"),
      people("(1, 'd'), (1, 'e'), (1, 'f')"),
    );
    expect([first.rowsMoved, second.rowsMoved]).toEqual([3, 3]);
    expect(await read(api)).toEqual([
      [1, 'd'],
      [1, 'e'],
      [1, 'f'],
      [2, 'c'],
    ]);
  });

  it('adds only keys that are not there with insert_only', async ({ api }) => {
    const runs = await loaded(
      api,
      { strategy: 'insert_only' },
      people("(1, 'a'), (2, 'b')"),
      people("(2, 'x'), (3, 'c')"),
      people("(3, 'x')"),
    );
    expect(runs.map(({ rowsMoved }) => rowsMoved)).toEqual([2, 1, 0]);
    expect(await read(api)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('takes rows away that the delete column marks, and does not store the column', async ({ api }) => {
    await loaded(
      api,
      { deleteColumn: 'gone' },
      people("(1, 'a', false), (2, 'b', NULL), (9, 'z', true)", 'id, name, gone'),
      people("(2, 'b', true), (1, 'A', false)", 'id, name, gone'),
    );
    expect(await read(api)).toEqual([[1, 'A']]);
  });

  it('keeps the history of every key with scd2: changed rows are closed, equal ones left alone', async ({ api }) => {
    const config = { strategy: 'scd2', deleteColumn: 'gone' };
    const names = 'id, name, gone';
    const runs = await loaded(
      api,
      config,
      people("(1, 'a', false), (2, 'b', false), (3, NULL, false)", names),
      people("(1, 'A', false), (2, 'b', false), (3, NULL, false), (4, 'd', false)", names),
      people('(2, NULL::VARCHAR, true)', names),
    );
    expect(runs.map(({ rowsMoved }) => rowsMoved)).toEqual([3, 2, 0]);
    const [t1, t2, t3] = runs.map(({ startedAt }) => startedAt);
    expect(
      await read(api, 'SELECT id, name, _valid_from, _valid_to, _is_current FROM people ORDER BY id, _valid_from'),
    ).toEqual([
      [1, 'a', t1, t2, false],
      [1, 'A', t2, null, true],
      [2, 'b', t1, t3, false],
      [3, null, t1, null, true],
      [4, 'd', t2, null, true],
    ]);
  });

  it('refuses a history on rows that have none, and a delete column that is none', async ({ api }) => {
    await loaded(api, {}, people("(1, 'a')"));
    const fails = async (config: object, message: string) => {
      const dag = dagOf(
        sql('rows', people("(1, 'b')")),
        load('keep', 'rows', 'people', { mode: 'merge', mergeKey: ['id'], ...config }),
      );
      const { id } = await givenPipeline(api, {
        ...dag,
        steps: dag.steps.map((step) => ({ ...step, retry: { maxAttempts: 1 } })),
      });
      const run = await runThatIs(api, await startedRun(api, id), 'failed');
      expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH', message: expect.stringContaining(message) });
    };
    await fails({ strategy: 'scd2' }, 'without a history');
    await fails({ deleteColumn: 'name' }, 'not a boolean column');
    expect(await read(api)).toEqual([[1, 'a']]);
  });

  it.for<[string, object, string]>([
    [
      'takes rows away where nothing may go',
      { strategy: 'insert_only', deleteColumn: 'gone' },
      'deleteColumn NOT_ALLOWED',
    ],
    ['deletes by its key', { deleteColumn: 'id' }, 'deleteColumn NOT_ALLOWED'],
    ['has an unknown strategy', { strategy: 'truncate' }, 'strategy ENUM'],
  ])('is refused when it %s', async ([, config, issue], { api }) => {
    const dag = dagOf(
      sql('rows', 'SELECT 1 AS id'),
      load('keep', 'rows', 'people', { mode: 'merge', mergeKey: ['id'], ...config }),
    );
    const reply = await api.as('editor').post('/api/pipelines', { name: 'bad', dag });
    const [place, code] = issue.split(' ');
    expect(reply).toMatchObject({ status: 422, body: { errors: [{ pointer: `/dag/steps/1/config/${place}`, code }] } });
  });
});
