import { describe, expect, it } from 'vitest';
import { toCdcStream } from '../../../../shared/domains/pipelines/cdc/view.ts';
import { useCdc } from './cdc-setup.ts';

const under = useCdc();

describe('a CDC stream', () => {
  it('copies a table and follows its inserts, updates, deletes, changes of keys and truncations', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE people (id BIGINT PRIMARY KEY, name TEXT, tags TEXT[], paid NUMERIC(10,2), seen TIMESTAMPTZ);
      INSERT INTO people VALUES (1, 'Ada', '{a,b}', 1.50, '2026-01-01Z'), (2, NULL, NULL, NULL, NULL), (3, '', '{}', 0, NULL)`);
    const stream = await cdc.givenStream('people', ['people']);
    expect(await cdc.capture(stream)).toBe('done');
    const reader = await cdc.givenReader(stream, 'people');
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    const read = () => cdc.rows('people', 'SELECT id, name, tags, paid, seen FROM data ORDER BY id');
    expect(await read()).toEqual([
      [1, 'Ada', ['a', 'b'], '1.50', '2026-01-01T00:00:00.000Z'],
      [2, null, null, null, null],
      [3, '', [], '0.00', null],
    ]);

    await run(
      "INSERT INTO people VALUES (4, 'Dan'); UPDATE people SET name = 'Bob', tags = '{\"x,y\",NULL}' WHERE id = 2; DELETE FROM people WHERE id = 3",
    );
    await run('UPDATE people SET id = 10 WHERE id = 1');
    await cdc.capture(stream);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded' });
    expect(await read()).toEqual([
      [2, 'Bob', ['x,y', null], null, null],
      [4, 'Dan', null, null, null],
      [10, 'Ada', ['a', 'b'], '1.50', '2026-01-01T00:00:00.000Z'],
    ]);

    await run("TRUNCATE people; INSERT INTO people VALUES (4, 'again'), (5, 'Eve')");
    await cdc.capture(stream);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded' });
    expect(await read()).toEqual([
      [4, 'again', null, null, null],
      [5, 'Eve', null, null, null],
    ]);
  });

  it('is lagging when for more than a minute not everything has been taken over, until it has caught up', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE late (id INT PRIMARY KEY)');
    const stream = await cdc.givenStream('late', ['late']);
    const shown = async (now: Date) => {
      const { status, lagSeconds } = toCdcStream(stream, await cdc.state(stream), now);
      return { status, lagSeconds };
    };
    expect(await shown(cdc.context.now())).toEqual({ status: 'creating', lagSeconds: null });
    expect(await cdc.capture(stream)).toBe('done');
    const drainedAt = Date.parse((await cdc.state(stream)).drainedAt!);
    const shownAfter = (ms: number) => shown(new Date(drainedAt + ms));
    expect(await shownAfter(59_999)).toEqual({ status: 'streaming', lagSeconds: 59.999 });
    expect(await shownAfter(60_000)).toEqual({ status: 'streaming', lagSeconds: 60 });
    expect(await shownAfter(60_001)).toEqual({ status: 'lagging', lagSeconds: 60.001 });
    // A clock that is behind.
    expect(await shownAfter(-5_000)).toEqual({ status: 'streaming', lagSeconds: 0 });

    cdc.setup.aheadMs += 120_000;
    expect(await shown(cdc.context.now())).toMatchObject({ status: 'lagging' });
    expect(await cdc.capture(stream)).toBe('done');
    expect(await shown(cdc.context.now())).toMatchObject({ status: 'streaming' });
  });
});
