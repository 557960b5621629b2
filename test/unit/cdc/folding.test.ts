import { describe, expect, it } from 'vitest';
import { REPLACED_STAYS_MS } from '../../../shared/cdc/fold-store.ts';
import type { StoredStream } from '../../../shared/cdc/record.ts';
import { readTending } from '../../../shared/cdc/tending.ts';
import { readStorageUsage } from '../../../shared/datasets/storage-usage.ts';
import { Crashed } from '../../support/crash.ts';
import { type CdcPlane, useCdc } from './cdc-plane.ts';

const under = useCdc();
let tables = 0;

/** A table whose log has many batches: row 1 has changed in each, row `n` came in the nth, and some are gone. */
async function given(cdc: CdcPlane, batches = 34) {
  tables += 1;
  const table = `fold${tables}`;
  await cdc.postgres.run(
    `CREATE TABLE ${table} (id INT PRIMARY KEY, text TEXT, n INT); INSERT INTO ${table} VALUES (1, 'first', 0)`,
  );
  const stream = await cdc.givenStream(table, [table]);
  await cdc.capture(stream);
  for (let n = 2; n <= batches; n += 1) await change(cdc, stream, table, n);
  return { table, stream };
}

async function change(cdc: CdcPlane, stream: StoredStream, table: string, n: number) {
  const text = n % 3 === 0 ? "''" : n % 3 === 1 ? 'NULL' : '\'say "it", \n twice\'';
  await cdc.postgres.run(`INSERT INTO ${table} VALUES (${n}, ${text}, ${n}); UPDATE ${table} SET n = ${n} WHERE id = 1;
    ${n % 5 === 0 ? `DELETE FROM ${table} WHERE id = ${n - 1}` : ''}`);
  await cdc.capture(stream);
}

const settle = (cdc: CdcPlane) => {
  cdc.plane.aheadMs += REPLACED_STAYS_MS + 1;
};
const rows = async (cdc: CdcPlane, table: string) => cdc.postgres.rows(`SELECT id, text, n FROM ${table} ORDER BY id`);
const read = (cdc: CdcPlane, dataset: string) => cdc.rows(dataset, 'SELECT id, text, n FROM data ORDER BY id');

describe('the log of a CDC stream', () => {
  it('folds many small batches into one with the newest change of each row, once no reader stops among them', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    const [early, late] = [await cdc.givenReader(stream, `${table}_a`), await cdc.givenReader(stream, `${table}_b`)];
    const before = await cdc.batches(stream);
    await cdc.tend(stream);
    expect(await cdc.batches(stream)).toEqual(before);

    // One has read before, and one begins only afterwards.
    await cdc.run(early);
    settle(cdc);
    await change(cdc, stream, table, 35);
    await cdc.tend(stream);
    const [folded, rest] = await cdc.batches(stream);
    expect(folded).toMatchObject({ seq: before.at(-1)!.seq, committedLsn: before.at(-1)!.committedLsn });
    expect(rest).toMatchObject({ seq: before.at(-1)!.seq + 1 });
    const lines = (await cdc.changes(stream, table)).filter((line) => /^[iur] 1 /.test(line));
    expect(lines).toEqual(['u 1 first 34', 'u 1 first 35']);
    for (const reader of [early, late])
      expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    const expected = await rows(cdc, table);
    expect(await read(cdc, `${table}_a`)).toEqual(expected);
    expect(await read(cdc, `${table}_b`)).toEqual(expected);
    const full = await cdc.givenReader(stream, `${table}_c`, { mode: 'full' });
    await cdc.run(full);
    expect(await read(cdc, `${table}_c`)).toEqual(expected);
  });

  it('is read from the middle of what was folded, with a truncation and a new snapshot in it', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc, 10);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    await cdc.postgres.run(`TRUNCATE ${table}; INSERT INTO ${table} VALUES (2, 'again', 0), (900, 'new', 0)`);
    await cdc.capture(stream);
    for (let n = 11; n <= 40; n += 1) await change(cdc, stream, table, n);
    await cdc.postgres.run(`ALTER TABLE ${table} ADD later TEXT; UPDATE ${table} SET later = 'x' WHERE id = 900`);
    await cdc.capture(stream);
    settle(cdc);
    await cdc.tend(stream);
    expect(await cdc.batches(stream)).toHaveLength(1);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
    expect(await cdc.rows(table, "SELECT id FROM data WHERE later = 'x'")).toEqual([[900]]);

    // During a new snapshot readers stay at what was there before, which is not folded with what comes.
    const generation = 2;
    await cdc.ask(stream, { tables: stream.tables.map((each) => ({ ...each, generation })) });
    await cdc.postgres.run(`DELETE FROM ${table} WHERE id = 900`);
    await cdc.capture(stream);
    settle(cdc);
    await cdc.tend(stream);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
  });

  it('keeps replaced files for an hour, so that whoever is reading them comes to the end', async () => {
    const { cdc } = under;
    const { stream } = await given(cdc);
    const old = await cdc.objects(stream);
    settle(cdc);
    await cdc.tend(stream);
    expect(await cdc.objects(stream)).toEqual(expect.arrayContaining(old));
    await cdc.tend(stream);
    expect(await cdc.objects(stream)).toEqual(expect.arrayContaining(old));
    settle(cdc);
    await cdc.tend(stream);
    const [batch] = await cdc.batches(stream);
    expect(await cdc.objects(stream)).toEqual([batch!.filesObject, ...batch!.files.map(({ key }) => key)].sort());
  });

  it('is folded once by twins, and not at all when the stream goes meanwhile', async () => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    settle(cdc);
    await cdc.tend(stream, () => cdc.tend(stream));
    expect(await cdc.batches(stream)).toHaveLength(1);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
    // What the one that came too late has stored goes after an hour.
    settle(cdc);
    await cdc.tend(stream);
    expect(await cdc.objects(stream)).toHaveLength(2);

    const { stream: going } = await given(cdc);
    settle(cdc);
    await cdc.tend(going, async () => {
      await cdc.ask(going, { deletedAt: new Date().toISOString() });
      expect(await cdc.capture(going)).toBe('gone');
    });
    expect(await cdc.batches(going)).toEqual([]);
    await cdc.tend(going);
    expect(await cdc.objects(going)).toEqual([]);
    settle(cdc);
    await cdc.tend(going);
    expect(await readTending(cdc.context.table, going)).toBeUndefined();
  });

  it.for(['before', 'after'] as const)('survives a fold that dies %s any of its writes', async (when) => {
    const { cdc } = under;
    const { table, stream } = await given(cdc);
    settle(cdc);
    for (let nth = 1, isDead = true; isDead; nth += 1) {
      isDead = false;
      let writes = 0;
      cdc.plane.crash = () => {
        writes += 1;
        if (isDead) return 'before';
        isDead = writes === nth;
        return isDead ? when : undefined;
      };
      await cdc.tend(stream).catch((error: unknown) => {
        if (!(error instanceof Crashed)) throw error;
      });
      cdc.plane.crash = () => undefined;
    }
    settle(cdc);
    await cdc.tend(stream);
    const [batch, ...others] = await cdc.batches(stream);
    expect(others).toEqual([]);
    const { id, workspaceId } = stream;
    expect(await readTending(cdc.context.table, { id, workspaceId })).toMatchObject({ bytes: batch!.files[0]!.bytes });
    expect(await cdc.objects(stream)).toHaveLength(2);
    const reader = await cdc.givenReader(stream, table);
    await cdc.run(reader);
    expect(await read(cdc, table)).toEqual(await rows(cdc, table));
  });

  it('is counted by the storage meter of the workspace until it is gone', async () => {
    const { cdc } = under;
    const { table } = cdc.context;
    const { stream } = await given(cdc, 3);
    const metered = async () => (await readStorageUsage(table, stream.workspaceId))?.bytes ?? 0;
    const before = await metered();
    await Promise.all([cdc.tend(stream), cdc.tend(stream)]);
    const batches = await cdc.batches(stream);
    const bytes = batches.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes).toBeGreaterThan(0);
    expect((await metered()) - before).toBe(bytes);
    await cdc.ask(stream, { deletedAt: new Date().toISOString() });
    await cdc.capture(stream);
    await cdc.tend(stream);
    expect(await metered()).toBe(before);
  });
});
