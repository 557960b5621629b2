import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import { readStepLog } from '../../../shared/domains/pipelines/store/step-logs.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

/** Reads one file after the other from the same place. */
async function extracted(config: object, ...contents: (string | Buffer)[]) {
  const path = Buffer.isBuffer(contents[0]) ? 'rows.parquet' : 'rows.csv';
  const sourceId = await setup.fileSource({});
  const pipeline = await setup.pipeline({
    version: 1,
    steps: [
      { id: 'rows', type: 'extract', config: { sourceId, object: { path }, ...config }, retry: { maxAttempts: 1 } },
    ],
  });
  const found = [];
  for (const content of contents) {
    await setup.putFile(sourceId, path, content);
    const run = await setup.run(pipeline);
    await setup.drain();
    const [step] = await setup.steps(run.id);
    const paths = await setup.worker.cache.fetchAll(step?.output?.files ?? []);
    found.push({
      error: (await setup.stored(run.id)).error,
      columns: step?.output?.columns.map(({ name, type }) => `${name} ${type}`),
      reported: (step?.schemaChanges ?? []).map(({ column, change, from, to }) => `${column} ${change} ${from} ${to}`),
      log: (await readStepLog(setup.worker.objects, step!))!.lines.map(({ message }) => message),
      paths,
    });
  }
  return found;
}

describe('an extract whose source has other columns than the last time', () => {
  it('passes them on, and reports what changed, unless said otherwise', async () => {
    const [first, same, other] = await extracted({}, 'id,name\n1,a\n', 'id,name\n2,b\n', 'id,vip\n1.5,true\n');
    expect([first!.reported, same!.reported]).toEqual([[], []]);
    expect(other).toMatchObject({
      columns: ['id double', 'vip boolean'],
      reported: ['id retyped integer double', 'name dropped string null', 'vip added null boolean'],
    });
    expect(other!.log).toContain('The column vip (boolean) is new.');
  });

  it('gives them the columns that they had with ignore', async () => {
    const [, other, odd] = await extracted(
      { onSchemaChange: 'ignore' },
      'id,name\n1,a\n',
      'id,vip\n2.0,true\n',
      'id,name\n1.5,b\n',
    );
    expect(other).toMatchObject({
      columns: ['id integer', 'name string'],
      reported: ['name missing string null', 'vip left_out null boolean'],
    });
    expect(odd!.error).toMatchObject({ code: 'SCHEMA_MISMATCH', message: expect.stringContaining('1.5') });
  });

  it('fails with every difference with fail, and takes the columns up again when they are back', async () => {
    const [, other, back] = await extracted(
      { onSchemaChange: 'fail' },
      'id,name\n1,a\n',
      'id,vip\n2,true\n',
      'id,name\n3,c\n',
    );
    expect(other!.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: 'The rows have no column name (string). The column vip (boolean) is new.',
    });
    expect(back).toMatchObject({ error: null, columns: ['id integer', 'name string'] });
  });

  it('does so with a Parquet file that is otherwise read where it lies', async () => {
    const parquet = async (sql: string) => {
      const engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: setup.worker.scratchDir });
      const path = `${setup.worker.scratchDir}/given.parquet`;
      await engine.copyToParquet(sql, { path });
      await engine.close();
      return readFile(path);
    };
    const [first, other] = await extracted(
      { onSchemaChange: 'ignore' },
      await parquet('SELECT 1 AS id, 2 AS n'),
      await parquet("SELECT 3 AS id, 'x' AS more"),
    );
    expect(first!.columns).toEqual(['id integer', 'n integer']);
    expect(other).toMatchObject({
      columns: ['id integer', 'n integer'],
      reported: ['n missing integer null', 'more left_out null string'],
    });
  });
});
