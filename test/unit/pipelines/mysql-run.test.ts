import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dag, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { HAS_MARIADB, startMariadb, type TestMariadb } from '../../support/mariadb.ts';
import { backfilled } from './given-backfill.ts';
import { RunSetup } from './run-setup.ts';

const title = HAS_MARIADB ? 'a run over MariaDB' : 'a run over MariaDB (mariadbd is not installed: not tested)';

describe.runIf(HAS_MARIADB)(title, () => {
  let setup: RunSetup;
  let server: TestMariadb;
  let sourceId: string;
  beforeAll(async () => {
    [setup, server] = await Promise.all([RunSetup.open(), startMariadb()]);
    const { host, port, database, user, password } = server;
    sourceId = await setup.source('mysql', { host, port, database, user, ssl: false }, { password });
  });
  afterAll(async () => {
    await server?.stop();
    await setup?.close();
  });

  const dagOf = (name: string, config: object): Dag => ({
    version: 1,
    steps: [
      { id: 'read', type: 'extract', config: { sourceId, ...config }, retry: { maxAttempts: 1 } } as Step,
      {
        id: 'keep',
        type: 'load',
        config: { target: { kind: 'dataset', name }, mode: 'append' },
        dependsOn: ['read'],
        retry: { maxAttempts: 1 },
      } as Step,
    ],
  });

  it('reads what is new once, whatever the cursor is', async () => {
    const cursors = {
      n: 'DECIMAL(60,20)',
      i: 'BIGINT UNSIGNED',
      at: 'DATETIME(6)',
      s: 'TIMESTAMP(6)',
      day: 'DATE',
      t: 'VARCHAR(20)',
    };
    const columns = Object.entries(cursors).map(([name, type]) => `${name} ${type} NULL`);
    await server.run(
      `CREATE TABLE moves (id INT PRIMARY KEY, ${columns.join(', ')})`,
      `INSERT INTO moves VALUES (1, 0.5, 1, '2026-01-01', '2026-01-01', '2026-01-01', 'a'),
         (2, 1.0000000006, 18446744073709551614, '2026-01-02 00:00:00.000001', '2026-01-02 00:00:00.000001', '2026-01-02', 'b'),
         (3, NULL, NULL, NULL, NULL, NULL, NULL)`,
    );
    const pipelines = await Promise.all(
      Object.keys(cursors).map(async (cursorColumn) =>
        setup.pipeline(
          dagOf(`by ${cursorColumn}`, {
            object: { table: 'moves' },
            mode: 'incremental',
            incremental: { cursorColumn },
          }),
        ),
      ),
    );
    const runAll = async () => {
      const runs = [];
      for (const pipeline of pipelines) runs.push(await setup.run(pipeline));
      await setup.drain();
      for (const { id } of runs) expect((await setup.stored(id)).error ?? null).toBeNull();
      return Promise.all(Object.keys(cursors).map((cursor) => setup.rows(`by ${cursor}`, 'id')));
    };
    expect(await runAll()).toEqual(Object.keys(cursors).map(() => [['1'], ['2']]));
    expect(await runAll()).toEqual(Object.keys(cursors).map(() => [['1'], ['2']]));
    await server.run(
      `INSERT INTO moves VALUES (4, 1.0000000007, 18446744073709551615, '2026-01-02 00:00:00.000001', '2026-01-02 00:00:00.000002', '2026-01-02', 'é')`,
    );
    expect(await runAll()).toEqual(Object.keys(cursors).map(() => [['1'], ['2'], ['4']]));
  });

  it.each(['Europe/Berlin', 'America/New_York'])(
    'reads the dates that the clock of %s counts in a backfill',
    async (timezone) => {
      await server.run(
        'CREATE TABLE IF NOT EXISTS dated (id INT PRIMARY KEY, day DATE, at DATETIME, t VARCHAR(20))',
        `INSERT IGNORE INTO dated VALUES ${[1, 2, 3, 4].map((n) => `(${n}, '2026-01-0${n}', '2026-01-0${n} 12:00', '2026-01-0${n}')`).join(', ')}`,
      );
      const config = { sourceId, object: { table: 'dated' } };
      const read = await backfilled(setup, { config, cursorColumns: ['day', 'at', 't'], timezone });
      expect(read).toEqual({ day: [2, 3], at: [2, 3], t: [2, 3] });
    },
  );

  it('binds the values of the run in a query and its filter', async () => {
    await server.run(
      'CREATE TABLE bound (id INT, note VARCHAR(20))',
      `INSERT INTO bound VALUES (1, 'a'), (2, 'it''s'), (3, 'it''s'), (4, 'it''s')`,
    );
    const pipeline = await setup.pipeline({
      ...dagOf('bound', {
        object: { query: 'SELECT id, note FROM bound WHERE note = {{ params.note }} AND id > {{ params.least }}' },
        filter: 'id < {{ params.most }} AND note = {{ params.note }}',
      }),
      parameters: [
        { name: 'note', type: 'string', default: "it's" },
        { name: 'least', type: 'number', default: 2 },
        { name: 'most', type: 'number', default: 4 },
      ],
    });
    const run = await setup.run(pipeline);
    await setup.drain();
    expect((await setup.stored(run.id)).error ?? null).toBeNull();
    expect(await setup.rows('bound')).toEqual([['3', "it's"]]);
  });
});
