import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { captureTurn } from '../../../../shared/domains/pipelines/cdc/capture-stream.ts';
import type { StoredStream } from '../../../../shared/domains/pipelines/cdc/record.ts';
import { type CdcSetup, useCdc } from './cdc-setup.ts';

const under = useCdc();

/** One step of a capture: what the log has, and some rows of each snapshot. */
const step = (cdc: CdcSetup, stream: StoredStream) => captureTurn(cdc.context, stream, new Date(0));

/** A connection that writes to the source. */
async function writer(cdc: CdcSetup): Promise<Client> {
  const { host, port, database, user, password } = cdc.postgres;
  const client = new Client({ host, port, database, user, password });
  await client.connect();
  return client;
}

async function expectSame(cdc: CdcSetup, stream: StoredStream, table: string) {
  const reader = await cdc.givenReader(stream, table);
  expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
  const sums = 'count(*)::TEXT, count(DISTINCT id)::TEXT, sum(id)::TEXT, sum(n)::TEXT';
  const [expected] = await cdc.postgres.rows(`SELECT ${sums} FROM ${table}`);
  expect(await cdc.rows(table, `SELECT ${sums} FROM data`)).toEqual([expected]);
}

describe('between the snapshot and the changes', () => {
  it('nothing is missing and nothing is old, whatever is written meanwhile', async () => {
    const { cdc } = under;
    await cdc.postgres.run(`CREATE TABLE busy (id INT PRIMARY KEY, n INT);
      INSERT INTO busy SELECT id, 0 FROM generate_series(1, 110000) id`);
    const stream = await cdc.givenStream('busy', ['busy']);
    const other = await writer(cdc);
    let isOver = false;
    const writing = (async () => {
      for (let n = 1; !isOver; n += 1) {
        await other.query(`UPDATE busy SET n = ${n} WHERE id % 997 = ${n % 997}`);
        await other.query(`DELETE FROM busy WHERE id % 1009 = ${n % 1009}`);
        await other.query(
          `INSERT INTO busy VALUES (${n * 3}, ${n}), (${110_000 + n}, ${n}) ON CONFLICT (id) DO UPDATE SET n = ${n}`,
        );
        await other.query(`UPDATE busy SET id = -${n} WHERE id = ${n * 7}`);
      }
    })();
    for (let turn = 0; turn < 5; turn += 1) await step(cdc, stream);
    isOver = true;
    await writing;
    await other.end();
    expect(await cdc.capture(stream)).toBe('done');
    await expectSame(cdc, stream, 'busy');
  });

  it('a transaction that was open when the table joined is waited for', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE open (id INT PRIMARY KEY, n INT); INSERT INTO open VALUES (1, 0)');
    const stream = await cdc.givenStream('open', ['open']);
    await cdc.postgres.run('CREATE TABLE other (id INT PRIMARY KEY, n INT)');
    await cdc.capture(stream);
    const other = await writer(cdc);
    await other.query('BEGIN; INSERT INTO other VALUES (5, 5)');
    await cdc.ask(stream, { tables: [...stream.tables, { name: 'public.other', generation: 2 }] });
    expect(await step(cdc, stream)).toBe('more');
    expect((await cdc.state(stream)).tables['public.other']).toMatchObject({ status: 'pending' });
    await other.query('COMMIT');
    await other.end();
    expect(await cdc.capture(stream)).toBe('done');
    expect(await cdc.changes(stream, 'other')).toEqual(['t', 'r 5 5']);
  });

  it('a commit that is in the log and waits for a standby is not hidden by an older row', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE waiting (id INT PRIMARY KEY, n INT);
      INSERT INTO waiting SELECT id, 0 FROM generate_series(1, 60000) id`);
    const stream = await cdc.givenStream('waiting', ['waiting']);
    expect(await step(cdc, stream)).toBe('more');
    expect((await cdc.state(stream)).tables['public.waiting']).toMatchObject({ status: 'snapshotting', rows: 50_000 });
    const held = () => cdc.postgres.rows("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    const [other, another] = [await writer(cdc), await writer(cdc)];
    await run('CREATE TABLE beside (id INT)');
    await run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await run('SELECT pg_reload_conf()');
    // A standby that does not answer: the commit is in the log, but not visible.
    let isOver = false;
    const trying = (async () => {
      while (!isOver) await another.query('INSERT INTO beside VALUES (1)');
    })();
    let committing: Promise<unknown> | undefined;
    try {
      // The server takes a new setting on in its own time: only from then on does a commit wait.
      await expect.poll(held).toHaveLength(1);
      committing = other.query('UPDATE waiting SET n = 1 WHERE id = 55000');
      await expect.poll(held).toHaveLength(2);
      expect(await step(cdc, stream)).toBe('more');
      expect(await cdc.changes(stream, 'waiting')).toContain('u 55000 1');
      expect((await cdc.state(stream)).tables['public.waiting']).toMatchObject({
        status: 'snapshotting',
        rows: 50_001,
      });
    } finally {
      isOver = true;
      await run('ALTER SYSTEM RESET synchronous_standby_names');
      await run('SELECT pg_reload_conf()');
      await Promise.all([committing, trying]);
      await Promise.all([other.end(), another.end()]);
    }
    expect(await cdc.capture(stream)).toBe('done');
    await expectSame(cdc, stream, 'waiting');
  });
});
