import { describe, expect, it, onTestFinished } from 'vitest';
import type { Column } from '../../../../shared/data/duckdb/column-types.ts';
import type { ConsoleLine, SandboxSettings } from '../../../../shared/data/sandbox/messages.ts';
import { Sandbox } from '../../../../shared/data/sandbox/sandbox.ts';

const columns = (...list: string[]): Column[] =>
  list.map((text) => {
    const [name, type] = text.split(' ') as [string, string];
    return { name, type };
  });

async function given(code: string, more: Partial<SandboxSettings> = {}) {
  const lines: ConsoleLine[] = [];
  const sandbox = await Sandbox.open(
    {
      code,
      language: 'javascript',
      entrypoint: 'transform',
      context: { params: { rate: 2 }, env: { KEY: 'secret' } },
      inputColumns: columns('n integer', 'x double'),
      outputColumns: columns('n integer', 'x double'),
      memoryMb: 64,
      // More than anything takes here that is not to be ended by its time.
      batchMs: 20_000,
      seed: 'seed',
      nowMs: Date.UTC(2026, 0, 2),
      ...more,
    },
    (line) => lines.push(line),
  );
  onTestFinished(() => sandbox.close());
  return { sandbox, lines };
}

/** The answer to one batch, as CSV. */
async function answered(code: string, batch: unknown[][], more: Partial<SandboxSettings> = {}): Promise<string> {
  const { sandbox } = await given(code, more);
  return (await sandbox.run(JSON.stringify(batch))).csv;
}

const failing = (code: string, more: Partial<SandboxSettings> = {}) => answered(code, [['1', 0.5]], more);

describe('the sandbox', () => {
  it('calls the function with rows and the context, batch after batch, keeping what the code caches', async () => {
    const { sandbox } = await given(`
      let seen = 0n;
      function transform(rows, { params }) {
        return rows.map((row) => ({ n: (seen += BigInt(row.n)), x: row.x * params.rate }));
      }`);
    expect(await sandbox.run('[["9007199254740993", 1.5]]')).toEqual({ csv: '"9007199254740993","3"\n', rows: 1 });
    expect(await sandbox.run('[["1", null]]')).toEqual({ csv: '"9007199254740994","0"\n', rows: 1 });
  });

  it('keeps NaN and infinities both ways', async () => {
    const same = 'function transform(rows) { return rows.map((row) => ({ ...row, n: isNaN(row.x) ? 1 : 2 })); }';
    expect(
      await answered(same, [
        ['0', 'nan'],
        ['0', '-inf'],
        ['0', null],
      ]),
    ).toBe('"1","NaN"\n"2","-Infinity"\n"2",\n');
  });

  it('answers the same for the same rows: chance and clock are those of the run', async () => {
    const code = `const transform = (rows) => rows.map(() => ({
      n: Date.now() + (new Date() - new Date(0)) + (new (new Date(0).constructor)()).getTime(), x: Math.random() }));`;
    const first = await answered(code, [
      ['1', 0],
      ['2', 0],
    ]);
    expect(
      await answered(code, [
        ['1', 0],
        ['2', 0],
      ]),
    ).toBe(first);
    expect(first).toContain(`"${Date.UTC(2026, 0, 2) * 3}"`);
    expect(
      await answered(
        code,
        [
          ['1', 0],
          ['2', 0],
        ],
        { seed: 'other' },
      ),
    ).not.toBe(first);
  });

  it('takes the types out of TypeScript and leaves every place where it was', async () => {
    const language = 'typescript' as const;
    const typed = 'interface Row { n: string; x: number }\nfunction transform(rows: Row[]): Row[] { return rows; }';
    expect(await answered(typed, [['1', 2]], { language })).toBe('"1","2"\n');
    const broken = 'interface Row {\n n: string }\nfunction transform(rows: Row[]) {\n  return rows.none.n;\n}';
    await expect(failing(broken, { language })).rejects.toMatchObject({ code: 'CODE_ERROR', position: { line: 4 } });
    await expect(failing('enum A { B }', { language })).rejects.toMatchObject({ code: 'CODE_ERROR' });
  });

  it('hands on what the code writes to its console, also when it fails afterwards', async () => {
    const { sandbox, lines } = await given(`
      console.info('read');
      function transform(rows) { console.warn('rows', rows.length, { a: 1n }); throw new Error('no'); }`);
    await expect(sandbox.run('[["1", 1]]')).rejects.toThrow('Error: no');
    expect(lines).toEqual([
      { level: 'info', message: 'read' },
      { level: 'warn', message: 'rows 1 {"a":"1"}' },
    ]);
  });

  it.each<[string, string, string]>([
    [
      'text that is no code',
      'function transform(rows) {\n  return rows. .x }',
      'expecting field name (line 2, column 16)',
    ],
    ['code without the function', 'const other = 1', 'must declare a function transform'],
    [
      'an error of its own',
      'function transform(rows) {\n  return rows[0].a.b;\n}',
      "cannot read property 'b' of undefined (line 2,",
    ],
    ['anything thrown', 'function transform() { throw { why: 1 } }', 'threw {"why":1}'],
    ['an answer that is no array', 'function transform() { return 1 }', 'must return an array of rows, not number'],
    ['a promise', 'async function transform() { return [] }', 'not a promise'],
    [
      'a row that is no object',
      'function transform() { return [{ n: 1 }, 7] }',
      'row 2 of the answer is not an object',
    ],
    [
      'a value of another type',
      "function transform() { return [{ n: 'one' }] }",
      'Row 1 of the answer: "one" in column n',
    ],
    [
      'an integer beyond 64 bits',
      "function transform() { return [{ n: '9223372036854775808' }] }",
      'not an exact integer',
    ],
    ['an integer that is no longer exact', 'function transform() { return [{ n: 2 ** 53 }] }', 'not an exact integer'],
  ])('reports %s', async (_title, code, message) => {
    await expect(failing(code)).rejects.toMatchObject({
      code: 'CODE_ERROR',
      message: expect.stringContaining(message),
    });
  });

  it.each<[string, string, string]>([
    ['an endless loop', 'function transform() { for (;;) {} }', 'TIMEOUT'],
    ['an endless loop while it is read', 'for (;;) {}', 'TIMEOUT'],
    [
      'a catastrophic pattern',
      "function transform() { return /^(a+)+$/.test('a'.repeat(40) + 'b') ? [] : [] }",
      'TIMEOUT',
    ],
    ['a huge text', "function transform() { return 'x'.repeat(1e9) }", 'OUT_OF_MEMORY'],
    ['endless recursion', 'function transform() { return transform() + 1 }', 'CODE_ERROR'],
    ['deep JSON', "function transform() { return JSON.parse('['.repeat(1e6)) }", 'CODE_ERROR'],
    ['a getter that never answers', 'function transform() { return [{ get n() { for (;;) {} } }] }', 'TIMEOUT'],
  ])('ends %s', async (_title, code, expected) => {
    const more = expected === 'TIMEOUT' ? { batchMs: 200 } : {};
    await expect(failing(code, more)).rejects.toMatchObject({ code: expected });
  });

  it.each([
    'for (;;) all.push(new Array(10000).fill(1))',
    "for (;;) all.push('x'.repeat(1e6) + all.length)",
    'for (;;) all.push({ a: all.length })',
  ])('ends what grows without end, by its time or by its memory: %s', async (loop) => {
    const code = `function transform() { const all = []; ${loop} }`;
    await expect(failing(code, { batchMs: 300 })).rejects.toMatchObject({
      code: expect.stringMatching(/^(TIMEOUT|OUT_OF_MEMORY)$/),
    });
  });

  it('has no way out', async () => {
    const ways = {
      process: 'typeof process',
      require: 'typeof require',
      fetch: 'typeof fetch',
      WebAssembly: 'typeof WebAssembly',
      'the host by a constructor': "typeof (() => {}).constructor.constructor('return this')().process",
      'the host by eval': "typeof (0, eval)('this').process",
      timers: 'typeof setTimeout',
      'shared memory': 'typeof SharedArrayBuffer',
    };
    const cells = Object.entries(ways).map(([way, expression]) => `${JSON.stringify(way)}: ${expression}`);
    const code = `function transform() { return [{ ${cells.join(', ')} }] }`;
    const outputColumns = Object.keys(ways).map((name) => ({ name, type: 'string' }));
    const types = Object.keys(ways).map(() => '"undefined"');
    expect(await answered(code, [['1', 0]], { outputColumns })).toBe(`${types.join(',')}\n`);
  });

  it('refuses imports', async () => {
    await expect(failing("import fs from 'fs'; function transform() { return [] }")).rejects.toMatchObject({
      code: 'CODE_ERROR',
    });
    await expect(
      failing("function transform() { let e; import('fs').catch((x) => { e = x }); return [{ n: e }] }"),
    ).resolves.toBe(',\n');
  });

  it('is not misled by code that changes the language', async () => {
    const hostile = `
      Object.prototype.n = 7; Array.prototype.map = () => []; JSON.stringify = () => '[["1", 1], "x"]';
      function transform(rows) { return [{ __proto__: { n: 5 }, x: 1 }] }`;
    expect(await failing(hostile)).toBe('"5","1"\n');
  });

  it('keeps names that mean something to the language', async () => {
    const names = columns('__proto__ string', 'constructor string');
    const code =
      "function transform(rows) { return rows.map((r) => ({ ['__proto__']: r['__proto__'] + '!', constructor: r.constructor })) }";
    const more = { inputColumns: names, outputColumns: names };
    expect(await answered(code, [['a', 'b']], more)).toBe('"a!","b"\n');
  });

  it('writes values as their columns hold them', async () => {
    const values: [type: string, value: unknown, text: string][] = [
      ['decimal(5,2)', '123.45', '123.45'],
      ['decimal(5,2)', '123.4500', '123.4500'],
      ['decimal(2,2)', '0.25', '0.25'],
      ['date', '2026-02-28', '2026-02-28'],
      ['date', '2026-01-02T00:00:00.000Z', '2026-01-02'],
      ['timestamp', '2026-01-02T10:00:00.123456Z', '2026-01-02T10:00:00.123456Z'],
      ['timestamptz', 'infinity', 'infinity'],
      ['boolean', true, 'true'],
      ['string', 5, '5'],
      ['json', { a: [1, null] }, '{"a":[1,null]}'],
      ['json', 'text', '"text"'],
      ['binary', 'eAD/', 'eAD/'],
      ['double', '1e300', '1e300'],
    ];
    const outputColumns = values.map(([type], index) => ({ name: `v${index}`, type }));
    const row = Object.fromEntries(values.map(([, value], index) => [`v${index}`, value]));
    const code = `function transform() { return [${JSON.stringify(row)}] }`;
    const texts = values.map(([, , text]) => `"${text.replaceAll('"', '""')}"`);
    expect(await answered(code, [['1', 0]], { outputColumns })).toBe(`${texts.join(',')}\n`);
  });

  it.each<[string, unknown]>([
    ['decimal(5,2)', 123.456],
    ['decimal(5,2)', 1234.5],
    ['decimal(5,2)', ''],
    ['date', '2026-02-30'],
    ['date', '2026-01-02T10:00:00.000Z'],
    ['timestamp', 'yesterday'],
    ['boolean', 1],
    ['string', { a: 1 }],
    ['binary', 'eA='],
    ['double', true],
  ])('does not write as %s the value %j', async (type, value) => {
    const outputColumns = columns(`v ${type}`);
    const code = `function transform() { return [{ v: ${JSON.stringify(value)} }] }`;
    await expect(answered(code, [['1', 0]], { outputColumns })).rejects.toMatchObject({ code: 'CODE_ERROR' });
  });
});
