import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../shared/data/duckdb/engine.ts';
import { code, dagOf, into, load, ranOn, sql } from './run-dags.ts';
import { RunSetup } from './run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

describe('a code step', () => {
  it('takes answers of code that are long', async () => {
    const longer = 'function transform(rows) { return [{ text: "x".repeat(17000000) }] }';
    const { run } = await ranOn(
      setup,
      dagOf(
        sql('rows', "SELECT '' AS text"),
        code('rows', { code: longer, memoryMb: 256 }),
        load('keep', 'code', { target: into('long'), mode: 'append' }),
      ),
    );
    expect(run.error).toBeNull();
    expect(await setup.rows('long', 'length(text)::INT')).toEqual([[17_000_000]]);
  });

  it('gives rows back as they are by code that does so', async () => {
    const value =
      "SELECT 18446744073709551615::UBIGINT AS id, 'x\\x00\\xFF'::BLOB AS bytes, ''::BLOB AS none, true AS yes";
    const { run, steps } = await ranOn(
      setup,
      dagOf(sql('rows', value), code('rows'), load('keep', 'code', { target: into('coded'), mode: 'append' })),
    );
    expect(run.error).toBeNull();
    expect(steps.get('code')!.output!.columns).toEqual(steps.get('rows')!.output!.columns);
    expect(steps.get('code')!.output!.columns.map(({ type }) => type)).toEqual([
      'decimal(20,0)',
      'binary',
      'binary',
      'boolean',
    ]);
    expect(await setup.rows('coded', 'id::VARCHAR, hex(bytes), hex(none), yes')).toEqual([
      ['18446744073709551615', '7800FF', '', true],
    ]);
  });

  it('gives lists and structs back digit by digit by code that does so', async () => {
    const value = `SELECT [9007199254740993, NULL] AS ids, [1.10::DECIMAL(20,2)] AS prices, ['nan'::DOUBLE, -0.1] AS sizes,
      [{'at': TIMESTAMP '2020-01-01 12:00:00.123456', 'days': [DATE '2020-02-29', NULL], 'bytes': 'x\\x00\\xFF'::BLOB,
        'doc': '{"a":[1]}'::JSON, 'a b"': TIME '12:00:01', 'constructor': 'é"\\' || chr(10), 'yes': true}, NULL] AS visits,
      {'x': 1e300::DOUBLE, 'zone': TIMESTAMPTZ '2020-01-01 12:00:00+00', 'none': NULL::VARCHAR} AS place,
      NULL::INTEGER[] AS nothing, []::VARCHAR[] AS empty`;
    const { run, steps } = await ranOn(
      setup,
      dagOf(sql('rows', value), code('rows'), load('keep', 'code', { target: into('nested'), mode: 'append' })),
    );
    expect(run.error).toBeNull();
    expect(steps.get('code')!.output!.columns).toEqual(steps.get('rows')!.output!.columns);
    const names = steps.get('rows')!.output!.columns.map(({ name }) => `${name}::VARCHAR`);
    const engine = await openEngine({ memoryLimitMb: 500, threads: 1, tempDir: setup.worker.scratchDir });
    const given = await engine.run(`SELECT ${names.join(', ')} FROM (${value})`);
    await engine.close();
    expect(await setup.rows('nested', names.join(', '))).toEqual(given);
  });

  it('gives code what is within lists and structs as it gives it outside, and keeps what it makes of it', async () => {
    const text = `function transform([{ orders, sizes }]) {
      const { id, price, at, when } = orders[0];
      return [{ seen: [typeof id, id, price, at, String(sizes)].join(), orders: [{ id: BigInt(id) + 1n, tags: [1, 'b'], left: 'out' }],
        when, sizes: { most: Infinity, all: sizes } }];
    }`;
    const outputSchema = [
      { name: 'seen', type: 'string' },
      { name: 'orders', type: 'list(struct(id integer, tags list(string), note string))' },
      { name: 'when', type: 'json' },
      { name: 'sizes', type: 'struct(most double, all list(double))' },
    ];
    const value = `SELECT [{'id': 9007199254740993, 'price': 0.5::DECIMAL(2,2), 'at': TIMESTAMP '2020-01-01 12:00:00',
      'when': [DATE '2020-01-01']}] AS orders, [1.5, 'inf'::DOUBLE, NULL] AS sizes`;
    const { run } = await ranOn(
      setup,
      dagOf(
        sql('rows', value),
        code('rows', { code: text, outputSchema }),
        load('keep', 'code', { target: into('made'), mode: 'append' }),
      ),
    );
    expect(run.error).toBeNull();
    expect(await setup.rows('made', 'seen, orders::VARCHAR, "when"::VARCHAR, sizes::VARCHAR')).toEqual([
      [
        'string,9007199254740993,0.50,2020-01-01T12:00:00.000Z,1.5,Infinity,',
        "[{'id': 9007199254740994, 'tags': [1, b], 'note': NULL}]",
        '["2020-01-01"]',
        "{'most': inf, 'all': [1.5, inf, NULL]}",
      ],
    ]);
  });

  it.each([
    ['SELECT [1] AS v', '[{ v: 1 }]', '1 in column v is not an exact list(integer)'],
    ['SELECT [1] AS v', '[{ v: [1.5] }]', '[1.5] in column v is not an exact list(integer)'],
    ["SELECT {'a': 1} AS v", '[{ v: [1] }]', '[1] in column v is not an exact struct(a integer)'],
  ])('rejects values that do not fit a list or struct exactly: %s, %s', async (value, answer, message) => {
    const text = `function transform() { return ${answer} }`;
    const { run } = await ranOn(setup, dagOf(sql('rows', value), code('rows', { code: text })));
    expect(run.error).toMatchObject({ code: 'CODE_ERROR', stepId: 'code' });
    expect(run.error!.message).toContain(message);
  });

  it('refuses lists that are too deep to be read by name, before any code is called', async () => {
    const { run } = await ranOn(
      setup,
      dagOf(sql('rows', `SELECT ${'['.repeat(11)}1${']'.repeat(11)} AS deep`), code('rows')),
    );
    expect(run.error).toMatchObject({ code: 'SCHEMA_MISMATCH', stepId: 'code' });
    expect(run.error!.message).toContain('The lists in deep are more than 10 deep');
  });
});
