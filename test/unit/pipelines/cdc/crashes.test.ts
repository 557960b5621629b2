import { describe, expect, it } from 'vitest';
import type { ChangeReader, LogEvent } from '../../../../shared/domains/pipelines/cdc/change-reader.ts';
import { useCdc } from './cdc-setup.ts';

const under = useCdc();

class Died extends Error {}

/** A reader that dies while it reads, or before or after it has confirmed. */
const DYING: Record<string, (reader: ChangeReader) => ChangeReader> = {
  'in the middle of reading': (reader) => ({
    ...reader,
    async *read(): AsyncGenerator<LogEvent[]> {
      let events = 0;
      for await (const portion of reader.read()) {
        for (const event of portion) {
          events += 1;
          if (events > 4) throw new Died();
          yield [event];
        }
      }
    },
  }),
  'before it has confirmed': (reader) => ({ ...reader, confirm: () => Promise.reject(new Died()) }),
  'after it has confirmed': (reader) => ({
    ...reader,
    async confirm(lsn) {
      await reader.confirm(lsn);
      throw new Died();
    },
  }),
};

describe('a capture that dies', () => {
  it.for(Object.keys(DYING))('%s loses nothing and takes nothing over twice', async (point) => {
    const { cdc } = under;
    const table = `t${Object.keys(DYING).indexOf(point)}`;
    await cdc.postgres.run(`CREATE TABLE ${table} (id INT PRIMARY KEY, n INT)`);
    const stream = await cdc.givenStream(table, [table]);
    await cdc.capture(stream);
    for (let round = 0; round < 2; round += 1) {
      const ids = [1, 2, 3].map((id) => `(${round * 3 + id}, 0)`).join();
      await cdc.postgres.run(
        `INSERT INTO ${table} VALUES ${ids}; UPDATE ${table} SET n = n + 1 WHERE id = ${round * 3 + 1}`,
      );
      cdc.wrapReader = DYING[point]!;
      await expect(cdc.capture(stream)).rejects.toThrow(Died);
      cdc.wrapReader = (reader) => reader;
    }
    await cdc.capture(stream);
    const round = (at: number) => [`i ${at} 0`, `i ${at + 1} 0`, `i ${at + 2} 0`, `u ${at} 1`];
    expect(await cdc.changes(stream, table)).toEqual(['t', ...round(1), ...round(4)]);
    const { committedLsn, confirmedLsn } = await cdc.state(stream);
    expect(confirmedLsn).toBe(committedLsn);
  });

  it.for(['before', 'after'] as const)('%s any of its writes goes on as if it had not', async (when) => {
    const { cdc } = under;
    const table = `w_${when}`;
    await cdc.postgres.run(`CREATE TABLE ${table} (id INT PRIMARY KEY); INSERT INTO ${table} VALUES (1), (2)`);
    const stream = await cdc.givenStream(table, [table]);
    let nth = 1;
    for (let next = 3; await cdc.captureDying(stream, nth, when); next += 1) {
      await cdc.postgres.run(`INSERT INTO ${table} VALUES (${next})`);
      nth += 1;
    }
    expect(nth).toBeGreaterThan(3);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, table);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded' });
    const stored = await cdc.rows(table, 'SELECT id FROM data ORDER BY id');
    expect(stored).toEqual(Array.from({ length: nth + 1 }, (_, i) => [i + 1]));
    // No change is in the log twice: only the rows of a snapshot may be.
    const inserted = (await cdc.changes(stream, table)).filter((change) => change.startsWith('i'));
    expect(new Set(inserted).size).toBe(inserted.length);
  });

  it('gives way to another: what a worker does whose lease ran out has no effect', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE late (id INT PRIMARY KEY)');
    const stream = await cdc.givenStream('late', ['late']);
    await cdc.capture(stream);
    await cdc.postgres.run('INSERT INTO late VALUES (1)');
    let taken = false;
    cdc.wrapReader = (reader) => ({
      ...reader,
      async *read(): AsyncGenerator<LogEvent[]> {
        if (!taken) {
          taken = true;
          cdc.setup.aheadMs += 120_000;
          expect(await cdc.capture(stream)).toBe('done');
          await cdc.postgres.run('INSERT INTO late VALUES (2)');
        }
        yield* reader.read();
      },
    });
    await expect(cdc.capture(stream)).rejects.toThrow();
    cdc.wrapReader = (reader) => reader;
    expect(await cdc.capture(stream)).toBe('done');
    expect(await cdc.changes(stream, 'late')).toEqual(['t', 'i 1', 'i 2']);
  });

  it('goes on where it was when the source goes in the middle of it', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE away (id INT PRIMARY KEY, n INT)');
    const stream = await cdc.givenStream('away', ['away']);
    await cdc.capture(stream);
    await cdc.postgres.run('INSERT INTO away SELECT id, 0 FROM generate_series(1, 5000) id');
    cdc.wrapReader = (reader) => ({
      ...reader,
      async *read(): AsyncGenerator<LogEvent[]> {
        let portions = 0;
        for await (const portion of reader.read()) {
          yield portion;
          portions += 1;
          if (portions === 2) await cdc.postgres.shutDown();
        }
      },
    });
    expect(await cdc.capture(stream)).toBe('failed');
    expect(await cdc.capture(stream)).toBe('failed');
    expect((await cdc.state(stream)).error).toMatchObject({ code: 'CONNECTION_FAILED' });
    cdc.wrapReader = (reader) => reader;
    await cdc.postgres.startUp();
    expect(await cdc.capture(stream)).toBe('done');
    expect((await cdc.state(stream)).error).toBeNull();
    expect(await cdc.changes(stream, 'away')).toHaveLength(5_001);
    // Nothing is left of the attempt that came to nothing.
    const files = (await cdc.batches(stream)).flatMap((batch) => batch.files.map(({ key }) => key));
    expect(await cdc.objects(stream)).toEqual(files.sort());
  });

  it('works alone: the second of two at once does nothing', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE twice (id INT PRIMARY KEY)');
    const stream = await cdc.givenStream('twice', ['twice']);
    await cdc.capture(stream);
    await cdc.postgres.run('INSERT INTO twice SELECT generate_series(1, 100)');
    const outcomes = await Promise.all([1, 2, 3].map(() => cdc.capture(stream)));
    expect(outcomes.sort()).toEqual(['busy', 'busy', 'done']);
    expect(await cdc.changes(stream, 'twice')).toHaveLength(101);
  });
});
