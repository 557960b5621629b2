import { describe, expect, it, vi } from 'vitest';
import { announceDue } from '../../../../functions/platform/workers/minute-tick/announce-due.ts';
import { scheduledMaintenance } from '../../../../functions/platform/workers/minute-tick/scheduled-maintenance.ts';
import { captureTurn } from '../../../../shared/domains/pipelines/cdc/capture-stream.ts';
import type { LogEvent } from '../../../../shared/domains/pipelines/cdc/change-reader.ts';
import { REPLACED_RETENTION_MS } from '../../../../shared/domains/pipelines/cdc/compaction-store.ts';
import { readMaintenance } from '../../../../shared/domains/pipelines/cdc/maintenance.ts';
import type { StoredStream } from '../../../../shared/domains/pipelines/cdc/record.ts';
import { readStorageUsage } from '../../../../shared/domains/warehouse/datasets/storage-usage.ts';
import type { JobMessage } from '../../../../shared/platform/jobs/queue.ts';
import { Crashed } from '../../../support/crash.ts';
import { type CdcSetup, useCdc } from './cdc-setup.ts';

const under = useCdc(['-c', 'max_replication_slots=20']);
let tables = 0;

/** A table whose log has many batches: row 1 has changed in each, row `n` came in the nth, and some are gone. */
async function given(cdc: CdcSetup, batches = 33) {
  tables += 1;
  const table = `compaction${tables}`;
  await cdc.postgres.run(
    `CREATE TABLE ${table} (id INT PRIMARY KEY, text TEXT, n INT); INSERT INTO ${table} VALUES (1, 'first', 0)`,
  );
  const stream = await cdc.givenStream(table, [table]);
  await cdc.capture(stream);
  await change(cdc, stream, table, 2, batches);
  return { table, stream };
}

/** Transactions, each of which becomes a batch. */
async function change(cdc: CdcSetup, stream: StoredStream, table: string, first: number, last = first) {
  const transactions = Array.from({ length: last - first + 1 }, (_, i) => {
    const n = first + i;
    const text = ["''", 'NULL', '\'say "it", \n twice\''][n % 3];
    const gone = n % 5 === 0 ? `DELETE FROM ${table} WHERE id = ${n - 1};` : '';
    return `BEGIN; INSERT INTO ${table} VALUES (${n}, ${text}, ${n}); UPDATE ${table} SET n = ${n} WHERE id = 1; ${gone} COMMIT;`;
  });
  await cdc.postgres.run(transactions.join(''));
  cdc.wrapReader = (reader) => ({
    ...reader,
    async *read(): AsyncGenerator<LogEvent[]> {
      for await (const portion of reader.read()) {
        for (const event of portion) yield event.kind === 'commit' ? [event, { kind: 'idle', lsn: null }] : [event];
      }
    },
  });
  await cdc.capture(stream);
  cdc.wrapReader = (reader) => reader;
}

const settle = (cdc: CdcSetup) => {
  cdc.setup.aheadMs += REPLACED_RETENTION_MS + 1;
};
const rows = async (cdc: CdcSetup, table: string) => cdc.postgres.rows(`SELECT id, text, n FROM ${table} ORDER BY id`);
const read = (cdc: CdcSetup, dataset: string) => cdc.rows(dataset, 'SELECT id, text, n FROM data ORDER BY id');

describe('the log of a CDC stream', () => {
  it('folds many small batches into one with the newest change of each row, once no reader stops among them', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc, 30);
    // One has read a part before, and one begins only afterwards.
    const [early, late] = [await cdc.givenReader(stream, `${table}_a`), await cdc.givenReader(stream, `${table}_b`)];
    await cdc.run(early);
    await change(cdc, stream, table, 31, 33);
    const before = await cdc.batches(stream);
    await cdc.maintain(stream);
    expect(await cdc.batches(stream)).toEqual(before);

    settle(cdc);
    await change(cdc, stream, table, 35);
    const replaced = await cdc.objects(stream);
    await cdc.maintain(stream);
    await cdc.maintain(stream);
    // A reader of them reaches the end.
    expect(await cdc.objects(stream)).toEqual(expect.arrayContaining(replaced));
    const [folded, rest] = await cdc.batches(stream);
    expect(folded).toMatchObject({ seq: before.at(-1)!.seq, committedLsn: before.at(-1)!.committedLsn });
    expect(rest).toMatchObject({ seq: before.at(-1)!.seq + 1 });
    const lines = (await cdc.changes(stream, table)).filter((line) => /^[iur] 1 /.test(line));
    expect(lines).toEqual(['u 1 first 33', 'u 1 first 35']);
    expect(await cdc.run(late)).toMatchObject({ status: 'succeeded', error: null });
    const { id } = await cdc.run(early);
    // The rows 1, 31, 32, 33 and 35: what it has read is left out.
    expect((await cdc.setup.steps(id))[0]).toMatchObject({ stepId: 'changes', rowsOut: 5 });
    const expected = await rows(cdc, table);
    expect(await read(cdc, `${table}_a`)).toEqual(expected);
    expect(await read(cdc, `${table}_b`)).toEqual(expected);
    const full = await cdc.givenReader(stream, `${table}_c`, { mode: 'full' });
    await cdc.run(full);
    expect(await read(cdc, `${table}_c`)).toEqual(expected);

    settle(cdc);
    await cdc.maintain(stream);
    const [first, second] = await cdc.batches(stream);
    const files = [...first!.files, ...second!.files].map(({ key }) => key);
    expect(await cdc.objects(stream)).toEqual([first!.filesObject, ...files].sort());
  });

  it('is read from the middle of what was folded, with a truncation and another column in it', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc, 10);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    await cdc.postgres.run(`TRUNCATE ${table}; INSERT INTO ${table} VALUES (2, 'again', 0), (900, 'new', 0)`);
    await cdc.capture(stream);
    await change(cdc, stream, table, 11, 40);
    await cdc.postgres.run(`ALTER TABLE ${table} ADD later TEXT; UPDATE ${table} SET later = 'x' WHERE id = 900`);
    await cdc.capture(stream);
    settle(cdc);
    await cdc.maintain(stream);
    expect(await cdc.batches(stream)).toHaveLength(1);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
    expect(await cdc.rows(table, "SELECT id FROM data WHERE later = 'x'")).toEqual([[900]]);
  });

  it('is not read across a column that came back as another one, until a truncation parts them', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc, 10);
    const reader = await cdc.givenReader(stream, `${table}_a`);
    await cdc.run(reader);
    await cdc.postgres.run(`ALTER TABLE ${table} ADD m INT[]; UPDATE ${table} SET m = '{1}' WHERE id = 2;
      ALTER TABLE ${table} DROP m; UPDATE ${table} SET n = 0 WHERE id = 2;
      ALTER TABLE ${table} ADD m TEXT; UPDATE ${table} SET m = 'x' WHERE id = 3`);
    await cdc.capture(stream);
    const full = await cdc.givenReader(stream, `${table}_b`, { mode: 'full' });
    expect(await cdc.run(full)).toMatchObject({
      status: 'failed',
      error: {
        code: 'SCHEMA_MISMATCH',
        message: expect.stringMatching(/^The type of the column "m" of .* has changed; resync it\.$/),
      },
    });
    await cdc.postgres.run(`TRUNCATE ${table}; INSERT INTO ${table} VALUES (2, 'again', 0, 'y')`);
    await cdc.capture(stream);
    await change(cdc, stream, table, 11, 40);
    settle(cdc);
    await cdc.maintain(stream);
    expect(await cdc.batches(stream)).toHaveLength(1);
    for (const [pipeline, dataset] of [
      [full, `${table}_b`],
      [reader, `${table}_a`],
    ] as const) {
      expect(await cdc.run(pipeline)).toMatchObject({ status: 'succeeded', error: null });
      expect(await read(cdc, dataset)).toEqual(await rows(cdc, table));
      expect(await cdc.rows(dataset, 'SELECT id, m FROM data WHERE m IS NOT NULL')).toEqual([[2, 'y']]);
    }
  });

  it('is not folded across the place at which readers stay during a new snapshot', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    const before = await rows(cdc, table);
    await cdc.ask(stream, { tables: stream.tables.map((each) => ({ ...each, generation: 2 })) });
    await cdc.postgres.run(`DELETE FROM ${table} WHERE id = 2`);
    expect(await captureTurn(cdc.context, stream, new Date(0))).toBe('more');
    const { seq, tables } = await cdc.state(stream);
    expect(tables[`public.${table}`]).toMatchObject({ complete: false, readableUpTo: seq - 1 });
    settle(cdc);
    await cdc.maintain(stream);
    expect((await cdc.batches(stream)).map((batch) => batch.seq)).toEqual([seq - 1, seq]);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(before);
    await cdc.capture(stream);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
  });

  it('is read again by a reader so slow that it was compacted meanwhile', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc, 10);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    await change(cdc, stream, table, 11, 40);
    await cdc.postgres.run(`TRUNCATE ${table}; INSERT INTO ${table} VALUES (7, 'back', 0)`);
    await cdc.capture(stream);
    // It has its files, and then takes longer than folds wait.
    const { cache } = cdc.setup.worker;
    const fetchAll = cache.fetchAll.bind(cache);
    const slow = vi.spyOn(cache, 'fetchAll').mockImplementationOnce(async (files) => {
      const paths = await fetchAll(files);
      await change(cdc, stream, table, 41, 42);
      settle(cdc);
      await cdc.maintain(stream);
      return paths;
    });
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    slow.mockRestore();
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
  });

  it('is folded once by twins, and not at all when the stream goes meanwhile', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    settle(cdc);
    await cdc.maintain(stream, () => cdc.maintain(stream));
    expect(await cdc.batches(stream)).toHaveLength(1);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
    // What the one that came too late has stored goes after an hour.
    settle(cdc);
    await cdc.maintain(stream);
    expect(await cdc.objects(stream)).toHaveLength(2);

    const { stream: going } = await given(cdc);
    settle(cdc);
    await cdc.maintain(going, async () => {
      await cdc.ask(going, { deletedAt: new Date().toISOString() });
      expect(await cdc.capture(going)).toBe('deleted');
    });
    expect(await cdc.batches(going)).toEqual([]);
    await cdc.maintain(going);
    expect(await cdc.objects(going)).toEqual([]);
    settle(cdc);
    await cdc.maintain(going);
    expect(await readMaintenance(cdc.context.table, going)).toBeUndefined();
  });

  it.for(['before', 'after'] as const)('survives a compaction that dies %s any of its writes', async (when) => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    settle(cdc);
    for (let nth = 1, isDead = true; isDead; nth += 1) {
      isDead = false;
      let writes = 0;
      cdc.setup.crash = () => {
        writes += 1;
        if (isDead) return 'before';
        isDead = writes === nth;
        return isDead ? when : undefined;
      };
      await cdc.maintain(stream).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
      cdc.setup.crash = () => undefined;
    }
    settle(cdc);
    await cdc.maintain(stream);
    const [batch, ...others] = await cdc.batches(stream);
    expect(others).toEqual([]);
    const { id, workspaceId } = stream;
    expect(await readMaintenance(cdc.context.table, { id, workspaceId })).toMatchObject({
      bytes: batch!.files[0]!.bytes,
    });
    expect(await cdc.objects(stream)).toHaveLength(2);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
  });

  it('is tended at the instants that the tick announces, each once', async () => {
    const { cdc } = under;
    const { stream } = await given(cdc, 2);
    // Between two instants, so that none passes while it is looked.
    const every = 10 * 60_000;
    cdc.setup.aheadMs += every - (cdc.context.now().getTime() % every) + 120_000;
    const announced = async () => {
      const sent: JobMessage[] = [];
      const queue = {
        send: async (all: readonly { message: JobMessage }[]) => void sent.push(...all.map(({ message }) => message)),
      };
      const fail = (failure: object) => expect.unreachable(JSON.stringify(failure));
      await announceDue(cdc.context, scheduledMaintenance(queue), fail);
      return sent.filter((message) => message.op === 'maintain-stream' && message.streamId === stream.id);
    };
    const message = { op: 'maintain-stream', workspaceId: stream.workspaceId, streamId: stream.id };
    expect(await announced()).toContainEqual(message);
    cdc.setup.aheadMs += 60_000;
    await announced();
    expect(await announced()).toEqual([]);
    cdc.setup.aheadMs += every;
    expect(await announced()).toEqual([message]);
  });

  it('is counted by the storage meter of the workspace until it is gone', async () => {
    const { cdc } = under;
    const { table } = cdc.context;
    const { stream } = await given(cdc, 3);
    const metered = async () => (await readStorageUsage(table, stream.workspaceId))?.bytes ?? 0;
    const before = await metered();
    await Promise.all([cdc.maintain(stream), cdc.maintain(stream)]);
    const batches = await cdc.batches(stream);
    const bytes = batches.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeGreaterThan(0);
    expect((await metered()) - before).toBe(bytes);
    await cdc.ask(stream, { deletedAt: new Date().toISOString() });
    await cdc.capture(stream);
    await cdc.maintain(stream);
    expect(await metered()).toBe(before);
  });
});
