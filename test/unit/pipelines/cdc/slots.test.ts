import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { DEFAULT_WAL_LIMIT_BYTES, type StoredStream } from '../../../../shared/domains/pipelines/cdc/record.ts';
import { streamRepository } from '../../../../shared/domains/pipelines/cdc/repository.ts';
import { captureStates } from '../../../../shared/domains/pipelines/cdc/state.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type CdcSetup, useCdc } from './cdc-setup.ts';

const under = useCdc();
let tables = 0;

async function given(cdc: CdcSetup, more: Partial<StoredStream> = {}) {
  tables += 1;
  const table = `slot${tables}`;
  await cdc.postgres.run(`CREATE TABLE ${table} (id INT PRIMARY KEY); INSERT INTO ${table} VALUES (1)`);
  const stream = await cdc.givenStream(table, [table], more);
  expect(await cdc.capture(stream)).toBe('done');
  return { table, stream };
}

/** The events about a stream that subscribers receive. */
async function reportedOf(cdc: CdcSetup, stream: StoredStream): Promise<unknown[]> {
  const { table } = cdc.context;
  const { pk } = workspaceKey(stream.workspaceId, 'OUTBOX', '');
  const found = await table.db.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  const events = (found.Items ?? []).filter(({ data }) => data.cdcStreamId === stream.id);
  return events.map(({ event, data }) => `${event} ${data.error.code}`);
}

describe('the slot of a CDC stream', () => {
  it('that is dropped behind our back stops the stream until a resync is requested', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    await cdc.postgres.run(`SELECT pg_drop_replication_slot('${stream.slotName}')`);
    await cdc.postgres.run(`DELETE FROM ${table}; INSERT INTO ${table} VALUES (2)`);
    for (let turn = 0; turn < 2; turn += 1) expect(await cdc.capture(stream)).toBe('failed');
    expect(await cdc.state(stream)).toMatchObject({ error: { code: 'SLOT_LOST' } });
    expect(await reportedOf(cdc, stream)).toEqual(['cdc.stream_failing SLOT_LOST']);

    await cdc.ask(stream, { slotGeneration: 2, tables: stream.tables.map((each) => ({ ...each, generation: 2 })) });
    expect(await cdc.capture(stream)).toBe('done');
    expect(await cdc.state(stream)).toMatchObject({ error: null, reported: [] });
    await cdc.run(reader);
    expect(await cdc.rows(table, 'SELECT id FROM data')).toEqual([[2]]);
  });

  it('that was restored with its source to an earlier state is as good as lost', async () => {
    const { cdc } = under;
    const { stream } = await given(cdc);
    // As after a restore: the source's log has not come so far yet.
    const { leaseUntil: _over, ...state } = await cdc.state(stream);
    await captureStates(cdc.context.table).save({ ...state, committedLsn: 'FFFFFFFF/00000000' });
    expect(await cdc.capture(stream)).toBe('failed');
    expect((await cdc.state(stream)).error).toMatchObject({
      code: 'SLOT_LOST',
      message: expect.stringContaining('restored to an earlier state'),
    });
    await cdc.ask(stream, { slotGeneration: 2, tables: stream.tables.map((each) => ({ ...each, generation: 2 })) });
    expect(await cdc.capture(stream)).toBe('done');
  });

  it('that another client has read from is as good as lost', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    await cdc.postgres.run(`INSERT INTO ${table} VALUES (2)`);
    await cdc.postgres.run(`SELECT pg_replication_slot_advance('${stream.slotName}', pg_current_wal_lsn())`);
    expect(await cdc.capture(stream)).toBe('failed');
    expect((await cdc.state(stream)).error).toMatchObject({
      code: 'SLOT_LOST',
      message: expect.stringContaining('Another client'),
    });
  });

  it('lets the log of an idle database go', async () => {
    const { cdc } = under;
    const { stream } = await given(cdc);
    await cdc.postgres.run(
      'CREATE TABLE elsewhere AS SELECT n, repeat(md5(n::text), 20) FROM generate_series(1, 20000) n',
    );
    cdc.setup.aheadMs += 31_000;
    expect(await cdc.capture(stream)).toBe('done');
    await cdc.postgres.run('CHECKPOINT; SELECT pg_log_standby_snapshot()');
    cdc.setup.aheadMs += 31_000;
    expect(await cdc.capture(stream)).toBe('done');
    expect(await cdc.capture(stream)).toBe('done');
    expect((await cdc.state(stream)).retainedWalBytes).toBeLessThan(5_000_000);
  });

  it.for([
    ['alert', 'done', { error: null, pausedAt: null }],
    ['pause', 'paused', { error: null, pausedAt: expect.any(String) }],
    ['drop', 'failed', { error: { code: 'SLOT_LOST' } }],
  ] as const)('holds no more log than it may: %s', async ([onWalLimit, outcome, state]) => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    await cdc.ask(stream, { walLimitBytes: 1, onWalLimit });
    await cdc.postgres.run(`INSERT INTO ${table} VALUES (2)`);
    expect(await cdc.capture(stream)).toBe(outcome);
    expect(await cdc.state(stream)).toMatchObject(state);
    expect(await reportedOf(cdc, stream)).toContain('cdc.stream_failing WAL_LIMIT');
    const slot = await cdc.postgres.rows(`SELECT 1 FROM pg_replication_slots WHERE slot_name = '${stream.slotName}'`);
    expect(slot).toHaveLength(onWalLimit === 'drop' ? 0 : 1);
    if (onWalLimit !== 'pause') return;
    await cdc.ask(stream, { enabled: true });
    expect(await cdc.capture(stream)).toBe('done');
    expect(await cdc.changes(stream, table)).toEqual(['t', 'r 1', 'i 2']);
  });

  it('is not read while the stream is paused, and goes with the stream once the source is there again', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc, { walLimitBytes: DEFAULT_WAL_LIMIT_BYTES });
    await cdc.ask(stream, { enabled: false });
    await cdc.postgres.run(`INSERT INTO ${table} VALUES (2)`);
    expect(await cdc.capture(stream)).toBe('paused');
    expect(await cdc.changes(stream, table)).toEqual(['t', 'r 1']);

    await cdc.ask(stream, { deletedAt: new Date().toISOString() });
    await cdc.postgres.shutDown();
    expect(await cdc.capture(stream)).toBe('failed');
    await cdc.postgres.startUp();
    expect(await cdc.capture(stream)).toBe('deleted');
    expect(await streamRepository(cdc.context.table).get(stream.workspaceId, stream.id)).toBeUndefined();
    expect(await cdc.context.objects.list(`W/${stream.workspaceId}/cdc/${stream.id}/`)).toEqual([]);
    expect(
      await cdc.postgres.rows(`SELECT 1 FROM pg_replication_slots WHERE slot_name = '${stream.slotName}'`),
    ).toEqual([]);
  });

  it('whose log the source has removed is lost, and says so', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    const { table, stream } = await given(cdc);
    await run("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
    await run('SELECT pg_reload_conf()');
    await run('CREATE TABLE filler (text TEXT)');
    for (let segment = 0; segment < 3; segment += 1) {
      await run(
        'INSERT INTO filler SELECT repeat(md5(n::text), 40) FROM generate_series(1, 3000) n; SELECT pg_switch_wal()',
      );
    }
    await run('CHECKPOINT');
    await run('ALTER SYSTEM RESET max_slot_wal_keep_size');
    await run('SELECT pg_reload_conf()');
    await run(`INSERT INTO ${table} VALUES (2)`);
    expect(await cdc.capture(stream)).toBe('failed');
    expect(await cdc.state(stream)).toMatchObject({
      error: { code: 'SLOT_LOST', message: expect.stringContaining('removed log') },
      walStatus: 'lost',
    });
    expect(await reportedOf(cdc, stream)).toEqual(['cdc.stream_failing SLOT_LOST']);
  });
});
