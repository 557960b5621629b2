import { describe, expect, it } from 'vitest';
import { captureTurn } from '../../../../shared/domains/pipelines/cdc/capture-stream.ts';
import { toCdcStream } from '../../../../shared/domains/pipelines/cdc/view.ts';
import { useCdc } from './cdc-setup.ts';

const under = useCdc(['-c', 'max_replication_slots=20']);
const LONG = 'repeat(md5(random()::text), 400)';

describe('the tables of a CDC stream', () => {
  it('keep large values that a change did not touch, also when the key changes', async () => {
    const { cdc } = under;
    const { run, rows } = cdc.postgres;
    await run(`CREATE TABLE docs (id INT PRIMARY KEY, title TEXT, body TEXT, twice INT GENERATED ALWAYS AS (id * 2) STORED);
      ALTER TABLE docs ALTER body SET STORAGE EXTERNAL; INSERT INTO docs (id, title, body) SELECT n, 'old', ${LONG} FROM generate_series(1, 3) n`);
    const stream = await cdc.givenStream('docs', ['docs']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'docs');
    await cdc.run(reader);
    await run(`UPDATE docs SET title = 'new' WHERE id = 1; UPDATE docs SET id = 20 WHERE id = 2;
      UPDATE docs SET title = 'twice' WHERE id = 3; UPDATE docs SET body = ${LONG} WHERE id = 3; UPDATE docs SET title = 'thrice' WHERE id = 3`);
    await cdc.capture(stream);
    await cdc.run(reader);
    const expected = await rows('SELECT id, title, body FROM docs ORDER BY id');
    expect(await cdc.rows('docs', 'SELECT id, title, body FROM data ORDER BY id')).toEqual(expected);
  });

  it('keep large values also where the whole row identifies itself', async () => {
    const { cdc } = under;
    const { run, rows } = cdc.postgres;
    await run(`CREATE TABLE pages (id INT, title TEXT, body TEXT); ALTER TABLE pages REPLICA IDENTITY FULL;
      ALTER TABLE pages ALTER body SET STORAGE EXTERNAL; INSERT INTO pages SELECT n, 'old', ${LONG} FROM generate_series(1, 2) n`);
    const stream = await cdc.givenStream('pages', ['pages']);
    await cdc.capture(stream);
    const [first] = await rows('SELECT body FROM pages WHERE id = 1');
    await run("UPDATE pages SET title = 'new' WHERE id = 1; UPDATE pages SET body = 'short' WHERE id = 1");
    await cdc.capture(stream);
    const updates = (await cdc.changes(stream, 'pages')).filter((line) => line.startsWith('u '));
    expect(updates).toEqual([`u 1 new ${first}`, 'u 1 new short']);
  });

  it('are identified by the index of their replica identity, if that is not the primary key', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE badges (id INT PRIMARY KEY, code TEXT NOT NULL UNIQUE, n INT);
      ALTER TABLE badges REPLICA IDENTITY USING INDEX badges_code_key; INSERT INTO badges VALUES (1, 'a', 0), (2, 'b', 0), (3, 'c', 0)`);
    const stream = await cdc.givenStream('badges', ['badges']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'badges', { key: ['code'] });
    await cdc.run(reader);
    await run(
      "DELETE FROM badges WHERE id = 1; UPDATE badges SET n = 1 WHERE id = 2; UPDATE badges SET code = 'd' WHERE id = 3",
    );
    await cdc.capture(stream);
    expect((await cdc.changes(stream, 'badges')).slice(4)).toEqual(['d  a', 'u 2 b 1', 'd  c', 'u 3 d 0']);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('badges', 'SELECT id, code, n FROM data ORDER BY id')).toEqual([
      [2, 'b', 1],
      [3, 'd', 0],
    ]);
  });

  it('that are renamed stop alone, and several are truncated at once', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    const names = ['calm', 'named', 'cut_one', 'cut_two'];
    for (const name of names) await run(`CREATE TABLE ${name} (id INT PRIMARY KEY); INSERT INTO ${name} VALUES (1)`);
    const stream = await cdc.givenStream('several', names);
    await cdc.capture(stream);
    await run('ALTER TABLE named RENAME TO renamed; INSERT INTO renamed VALUES (2); INSERT INTO calm VALUES (2)');
    await run('TRUNCATE cut_one, cut_two; INSERT INTO cut_two VALUES (3)');
    expect(await cdc.capture(stream)).toBe('done');
    const { tables } = await cdc.state(stream);
    expect(tables).toMatchObject({
      'public.calm': { status: 'streaming', error: null },
      'public.named': { status: 'error', error: { code: 'NOT_FOUND' } },
      'public.cut_one': { status: 'streaming', error: null },
    });
    expect(await cdc.changes(stream, 'calm')).toEqual(['t', 'r 1', 'i 2']);
    expect(await cdc.changes(stream, 'named')).toEqual(['t', 'r 1']);
    expect(await cdc.changes(stream, 'cut_one')).toEqual(['t', 'r 1', 't']);
    expect(await cdc.changes(stream, 'cut_two')).toEqual(['t', 'r 1', 't', 'i 3']);
  });

  it('join one by one: the snapshot of a new one touches no other, and misses no change made meanwhile', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(
      'CREATE TABLE a (id INT PRIMARY KEY); CREATE TABLE b (id INT PRIMARY KEY); INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)',
    );
    const stream = await cdc.givenStream('join', ['a']);
    await cdc.capture(stream);
    await cdc.ask(stream, { tables: [...stream.tables, { name: 'public.b', generation: 7 }] });
    await run('INSERT INTO a VALUES (2); INSERT INTO b VALUES (2)');
    await cdc.capture(stream);
    await run('DELETE FROM b WHERE id = 1');
    await cdc.capture(stream);
    expect(await cdc.changes(stream, 'a')).toEqual(['t', 'r 1', 'i 2']);
    expect(await cdc.changes(stream, 'b')).toEqual(['t', 'r 1', 'r 2', 'd 1']);
    const { tables } = await cdc.state(stream);
    expect(tables).toMatchObject({
      'public.a': { status: 'streaming' },
      'public.b': { status: 'streaming', generation: 7 },
    });
  });

  it('fail alone, and come back with a new snapshot, from which readers see the rows go that are not in it', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(
      'CREATE TABLE good (id INT PRIMARY KEY); CREATE TABLE bad (id INT PRIMARY KEY); INSERT INTO bad VALUES (1), (2)',
    );
    const stream = await cdc.givenStream('alone', ['good', 'bad']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'bad', { table: 'bad' });
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded' });
    await run(
      'DROP TABLE bad; CREATE TABLE bad (id INT PRIMARY KEY); INSERT INTO bad VALUES (2), (3); INSERT INTO good VALUES (1)',
    );
    expect(await cdc.capture(stream)).toBe('done');
    expect((await cdc.state(stream)).tables).toMatchObject({
      'public.good': { status: 'streaming', error: null, rows: 1 },
      'public.bad': { status: 'error', error: { code: 'SCHEMA_MISMATCH' } },
    });
    expect(toCdcStream(stream, await cdc.state(stream), cdc.context.now()).status).toBe('degraded');
    expect(await cdc.run(reader)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('Resync') },
    });

    const tables = stream.tables.map((table) => (table.name === 'public.bad' ? { ...table, generation: 2 } : table));
    await cdc.ask(stream, { tables });
    await cdc.capture(stream);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('bad', 'SELECT id FROM data ORDER BY id')).toEqual([[2], [3]]);
    expect(await cdc.changes(stream, 'good')).toEqual(['t', 'i 1']);
  });

  it('stop alone when their key is another one, and no reader gets fewer rows', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE keyed (id INT PRIMARY KEY, n INT); CREATE TABLE beside (id INT PRIMARY KEY);
      CREATE TABLE keyless (a INT, b INT); ALTER TABLE keyless REPLICA IDENTITY FULL;
      INSERT INTO keyed VALUES (1, 1), (2, 2), (3, 3); INSERT INTO keyless VALUES (1, 1), (1, 2)`);
    const stream = await cdc.givenStream('keys', ['keyed', 'beside', 'keyless']);
    await cdc.capture(stream);
    const early = await cdc.givenReader(stream, 'keyed_early', { table: 'keyed' });
    await cdc.run(early);
    const full = await cdc.givenReader(stream, 'keyed_full', { table: 'keyed', mode: 'full', key: ['order_id'] });
    await run(`ALTER TABLE keyed RENAME COLUMN id TO order_id; INSERT INTO keyed VALUES (4, 4);
      ALTER TABLE keyless RENAME COLUMN b TO c; INSERT INTO keyless VALUES (2, 2); INSERT INTO beside VALUES (1)`);
    expect(await cdc.capture(stream)).toBe('done');
    expect((await cdc.state(stream)).tables).toMatchObject({
      'public.keyed': {
        status: 'error',
        error: {
          code: 'SCHEMA_MISMATCH',
          message: 'The key of public.keyed has changed from "id" to "order_id"; resync it.',
        },
      },
      'public.keyless': { status: 'error', error: { message: expect.stringContaining('its column "b" was dropped') } },
      'public.beside': { status: 'streaming', error: null },
    });
    expect(await cdc.changes(stream, 'beside')).toEqual(['t', 'i 1']);
    expect(await cdc.run(full)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('Resync the table.') },
    });

    await cdc.ask(stream, { tables: stream.tables.map((table) => ({ ...table, generation: 2 })) });
    // While the new snapshot is under way, readers stay at the rows and the key of before.
    expect(await captureTurn(cdc.context, stream, new Date(0))).toBe('more');
    const old = await cdc.givenReader(stream, 'keyed_old', { table: 'keyed', mode: 'full' });
    expect(await cdc.run(old)).toMatchObject({ status: 'succeeded', error: null });
    const before = [1, 2, 3].map((n) => [n, n]);
    expect(await cdc.rows('keyed_old')).toEqual(before);
    await cdc.capture(stream);
    expect(await cdc.run(full)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('keyed_full')).toEqual([...before, [4, 4]]);
    // What has loaded rows by the old key cannot tell which of them are gone.
    expect(await cdc.run(early)).toMatchObject({
      status: 'failed',
      error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining('Read the table with a new step') },
    });
    const anew = await cdc.givenReader(stream, 'keyed_anew', { table: 'keyed', key: ['order_id'] });
    await cdc.run(anew);
    await run('DELETE FROM keyed WHERE order_id = 1; UPDATE keyed SET n = 20 WHERE order_id = 2');
    await cdc.capture(stream);
    expect(await cdc.run(anew)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('keyed_anew', 'SELECT order_id, n FROM data ORDER BY 1')).toEqual([
      [2, 20],
      [3, 3],
      [4, 4],
    ]);
  });

  it('stop alone when the type of a column becomes one in which the rows of before are others', async () => {
    const { cdc } = under;
    const { run, rows } = cdc.postgres;
    await run(`CREATE TABLE wide (id INT PRIMARY KEY, word VARCHAR(5), paid NUMERIC(6,2), code SMALLINT, at TIMESTAMP(0));
      CREATE TABLE typed (id INT PRIMARY KEY, v INT[]); CREATE TABLE finer (id INT PRIMARY KEY, v NUMERIC(38,0));
      INSERT INTO wide VALUES (1, 'one', 1.25, 7, '2026-01-01'), (2, 'two', 2.5, 8, '2026-01-01');
      INSERT INTO typed VALUES (1, '{1}'), (2, '{2}'); INSERT INTO finer VALUES (1, 1), (2, 2)`);
    const stream = await cdc.givenStream('types', ['wide', 'typed', 'finer']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'typed', { table: 'typed' });
    await cdc.run(reader);
    await run(`ALTER TABLE wide ALTER word TYPE TEXT, ALTER paid TYPE NUMERIC(38,5), ALTER code TYPE TEXT, ALTER at TYPE TIMESTAMP;
      UPDATE wide SET word = 'seventeen', paid = 3.12345, code = 'x', at = '2026-01-01 00:00:00.5' WHERE id = 2;
      ALTER TABLE typed ALTER v TYPE TEXT; ALTER TABLE finer ALTER v TYPE NUMERIC(38,20);
      UPDATE typed SET v = 'x' WHERE id = 2; UPDATE finer SET v = 1.5 WHERE id = 2`);
    expect(await cdc.capture(stream)).toBe('done');
    const stopped = {
      status: 'error',
      error: {
        code: 'SCHEMA_MISMATCH',
        message: expect.stringMatching(/^The type of the column "v" .*; resync it\.$/),
      },
    };
    expect((await cdc.state(stream)).tables).toMatchObject({
      'public.wide': { status: 'streaming', error: null },
      'public.typed': stopped,
      'public.finer': stopped,
    });
    const wide = await cdc.givenReader(stream, 'wide', { table: 'wide', mode: 'full' });
    expect(await cdc.run(wide)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('wide', 'SELECT id, word, paid, code FROM data ORDER BY id')).toEqual(
      await rows('SELECT id, word, paid, code FROM wide ORDER BY id'),
    );

    await cdc.ask(stream, { tables: stream.tables.map((table) => ({ ...table, generation: 2 })) });
    await cdc.capture(stream);
    await run('DELETE FROM typed WHERE id = 1');
    await cdc.capture(stream);
    for (const name of ['typed', 'finer']) {
      const full = await cdc.givenReader(stream, `${name}_full`, { table: name, mode: 'full' });
      expect(await cdc.run(full)).toMatchObject({ status: 'succeeded', error: null });
      expect(await cdc.rows(`${name}_full`, 'SELECT id, v FROM data ORDER BY id')).toEqual(
        await rows(`SELECT id, v FROM ${name} ORDER BY id`),
      );
    }
  });

  it('stop when columns differ by upper and lower case alone or are called as ours, and take a new spelling of one', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE alike (id INT PRIMARY KEY, a INT, "A" INT); INSERT INTO alike VALUES (1, 2, 3);
      CREATE TABLE spelt (id INT PRIMARY KEY, a INT); INSERT INTO spelt VALUES (1, 1), (2, 2);
      CREATE TABLE taken (id INT PRIMARY KEY, "_CDC_OP" TEXT)`);
    const stream = await cdc.givenStream('alike', ['alike', 'spelt', 'taken']);
    await cdc.capture(stream);
    await run('ALTER TABLE spelt RENAME a TO "A"; UPDATE spelt SET "A" = 20 WHERE id = 2');
    await cdc.capture(stream);
    const { tables } = await cdc.state(stream);
    expect(tables).toMatchObject({
      'public.alike': {
        status: 'error',
        error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining('Rename the column "A"') },
      },
      'public.spelt': { status: 'streaming' },
      'public.taken': { status: 'error', error: { message: expect.stringContaining('Rename the column "_CDC_OP"') } },
    });
    const full = await cdc.givenReader(stream, 'spelt', { table: 'spelt', mode: 'full' });
    expect(await cdc.run(full)).toMatchObject({ status: 'succeeded', error: null });
    expect(
      await cdc.rows('spelt', 'SELECT * EXCLUDE (_cdc_op, _cdc_lsn, _cdc_committed_at) FROM data ORDER BY id'),
    ).toEqual([
      [1, 1],
      [2, 20],
    ]);
  });

  it('are identified by keys that no column of a file holds exactly', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE spans (id NUMERIC, until TIMESTAMPTZ, v INT, PRIMARY KEY (id, until));
      INSERT INTO spans VALUES (1, 'infinity', 1), (1, '-infinity', 2), (0.00000000011, '2026-01-01Z', 3), (0.00000000012, '2026-01-01Z', 4)`);
    const stream = await cdc.givenStream('spans', ['spans']);
    await cdc.capture(stream);
    await run(
      "UPDATE spans SET v = 10 WHERE v = 1; DELETE FROM spans WHERE v = 4; INSERT INTO spans VALUES (1e30, '2026-01-01Z', 5), (1.00, '2026-01-01Z', 6); UPDATE spans SET v = 60 WHERE v = 6",
    );
    await cdc.capture(stream);
    const full = await cdc.givenReader(stream, 'spans', { mode: 'full', key: ['v'] });
    expect(await cdc.run(full)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('spans', 'SELECT v FROM data ORDER BY v')).toEqual([[2], [3], [5], [10], [60]]);
  });

  it('are not read by columns that they have not got', async () => {
    const { cdc } = under;
    await cdc.postgres.run('CREATE TABLE narrow (id INT PRIMARY KEY); INSERT INTO narrow VALUES (1)');
    const stream = await cdc.givenStream('narrow', ['narrow']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'narrow', { columns: ['ID', 'nowhere'] });
    expect(await cdc.run(reader)).toMatchObject({
      status: 'failed',
      error: { code: 'SCHEMA_MISMATCH', message: 'The table has no column "nowhere".' },
    });
  });

  it('stop alone when a column is renamed, before a large value is lost that is under the new name by then', async () => {
    const { cdc } = under;
    const { run, rows } = cdc.postgres;
    await run(`CREATE TABLE letters (id INT PRIMARY KEY, title TEXT, body TEXT); ALTER TABLE letters ALTER body SET STORAGE EXTERNAL;
      INSERT INTO letters SELECT n, 'old', ${LONG} FROM generate_series(1, 2) n`);
    const stream = await cdc.givenStream('letters', ['letters']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'letters');
    await cdc.run(reader);
    await run("UPDATE letters SET title = 'new' WHERE id = 1; ALTER TABLE letters RENAME body TO content");
    await cdc.capture(stream);
    expect((await cdc.state(stream)).tables).toMatchObject({
      'public.letters': {
        status: 'error',
        error: { message: expect.stringContaining('"body" of public.letters was renamed to "content"') },
      },
    });
    expect(await cdc.run(reader)).toMatchObject({ status: 'failed' });
    await cdc.ask(stream, { tables: stream.tables.map((table) => ({ ...table, generation: 2 })) });
    await cdc.capture(stream);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('letters', 'SELECT id, title, content FROM data ORDER BY id')).toEqual(
      await rows('SELECT id, title, content FROM letters ORDER BY id'),
    );
  });

  it('stop alone at a row that is too long to be read later, also in a snapshot, until it is gone', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE TABLE short (id INT PRIMARY KEY); CREATE TABLE lengthy (id INT PRIMARY KEY, v TEXT);
      ALTER TABLE lengthy ALTER v SET STORAGE EXTERNAL; INSERT INTO lengthy VALUES (1, repeat('x', 16700000))`);
    const stream = await cdc.givenStream('lengthy', ['short', 'lengthy']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'lengthy', { table: 'lengthy' });
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    // As long in characters, but not in bytes; the changes beside it are of the same transaction, and the key moves.
    await run(`BEGIN; INSERT INTO short VALUES (1); UPDATE lengthy SET id = 2, v = repeat('é', 8400000);
      INSERT INTO lengthy VALUES (3, 'c'); COMMIT; INSERT INTO short VALUES (2)`);
    const stopped = {
      status: 'error',
      error: {
        code: 'RESULT_TOO_LARGE',
        message: expect.stringMatching(/^A row has more than 16 MB .* resync the table\.$/),
      },
    };
    expect(await cdc.capture(stream)).toBe('done');
    expect((await cdc.state(stream)).tables).toMatchObject({ 'public.lengthy': stopped });
    expect(await cdc.changes(stream, 'short')).toEqual(['t', 'i 1', 'i 2']);
    expect((await cdc.changes(stream, 'lengthy')).map((line) => line.slice(0, 3))).toEqual(['t', 'r 1']);

    const resync = async (generation: number) => {
      await cdc.ask(stream, { tables: [stream.tables[0]!, { name: 'public.lengthy', generation }] });
      expect(await cdc.capture(stream)).toBe('done');
    };
    await resync(2);
    expect((await cdc.state(stream)).tables).toMatchObject({ 'public.lengthy': stopped });
    expect(await cdc.run(reader)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('16 MB') },
    });
    await run('DELETE FROM lengthy WHERE id = 2');
    await resync(3);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await cdc.rows('lengthy', 'SELECT id, v FROM data')).toEqual([[3, 'c']]);
  });

  it('follow columns that come and go, domains, enumerations and tables without a key', async () => {
    const { cdc } = under;
    const { run } = cdc.postgres;
    await run(`CREATE DOMAIN cents AS BIGINT; CREATE TYPE mood AS ENUM ('sad', 'happy');
      CREATE TABLE loose (price cents, feels mood, blob BYTEA, ok BOOLEAN);
      ALTER TABLE loose REPLICA IDENTITY FULL; INSERT INTO loose VALUES (1, 'sad', '\\x00ff', true), (2, 'happy', '', false)`);
    const stream = await cdc.givenStream('loose', ['loose']);
    await cdc.capture(stream);
    const reader = await cdc.givenReader(stream, 'loose', { key: ['price'] });
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    const read = (columns: string) => cdc.rows('loose', `SELECT ${columns} FROM data ORDER BY price`);
    expect(await read('price, feels, ok, octet_length(blob)')).toEqual([
      [1, 'sad', true, 2],
      [2, 'happy', false, 0],
    ]);
    await run(`UPDATE loose SET feels = 'happy' WHERE price = 1; ALTER TABLE loose ADD note TEXT DEFAULT 'x';
      DELETE FROM loose WHERE price = 2; INSERT INTO loose (price, note) VALUES (3, 'new')`);
    await cdc.capture(stream);
    expect(await cdc.run(reader)).toMatchObject({ status: 'succeeded', error: null });
    expect(await read('price, feels, note')).toEqual([
      [1, 'happy', null],
      [3, null, 'new'],
    ]);
  });
});
