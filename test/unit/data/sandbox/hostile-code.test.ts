import { describe, expect, it, onTestFinished } from 'vitest';
import { CHECK_LIMITS, codeIssues } from '../../../../shared/data/sandbox/check-code.ts';
import type { ConsoleLine, SandboxSettings } from '../../../../shared/data/sandbox/messages.ts';
import { cappedLog, MAX_LINES, MAX_LINES_CHARACTERS, received } from '../../../../shared/data/sandbox/received.ts';
import { Sandbox, SandboxError } from '../../../../shared/data/sandbox/sandbox.ts';
import { cases } from '../../../support/cases.ts';
import { seededRandom } from '../../../support/seeded-random.ts';

const COLUMNS = [
  { name: 'n', type: 'integer' },
  { name: 't', type: 'string' },
];

async function given(code: string, more: Partial<SandboxSettings> = {}) {
  const lines: ConsoleLine[] = [];
  const sandbox = await Sandbox.open(
    {
      code,
      language: 'javascript',
      entrypoint: 'transform',
      context: {},
      inputColumns: COLUMNS,
      outputColumns: COLUMNS,
      memoryMb: 64,
      batchMs: 5_000,
      seed: 'seed',
      nowMs: 0,
      ...more,
    },
    (line) => lines.push(line),
  );
  onTestFinished(() => sandbox.close());
  return { sandbox, lines };
}

const BATCH = '[["1", "a"], ["2", "b"]]';
const ONE_ROW = "function transform() { return [{ n: 1, t: 'x' }] }";

describe('the console of hostile code', () => {
  it('has levels and texts only, whatever its lines are made to look like', async () => {
    const { sandbox, lines } = await given(`
      let isOn = true;
      Array.prototype.toJSON = function () {
        if (!isOn) return this;
        isOn = false;
        return [['info', 'one'], [{ x: 1 }, 'two'], ['fatal', 'three'], ['warn', { y: 2 }], ['error'], 7, null, ['error', 'four']];
      };
      ${ONE_ROW}`);
    await sandbox.run(BATCH);
    expect(lines).toEqual([
      { level: 'info', message: 'one' },
      { level: 'info', message: 'two' },
      { level: 'info', message: 'three' },
      { level: 'error', message: 'four' },
    ]);
  });

  it('ends after a thousand lines of all batches together with one line that says so', async () => {
    const { sandbox, lines } = await given(`
      function transform(rows) {
        for (let i = 0; i < 600; i++) console.log('line ' + i);
        return rows;
      }`);
    for (const _batch of [1, 2, 3, 4]) await sandbox.run(BATCH);
    expect(lines).toHaveLength(MAX_LINES + 1);
    expect(lines.at(-1)).toEqual({ level: 'warn', message: 'Further lines are left out.' });
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it('ends after its limit of characters too', async () => {
    const { sandbox, lines } = await given(`
      function transform(rows) { for (let i = 0; i < 900; i++) console.log('x'.repeat(4000)); return rows; }`);
    await sandbox.run(BATCH);
    expect(lines.at(-1)).toEqual({ level: 'warn', message: 'Further lines are left out.' });
    const characters = lines.reduce((sum, { message }) => sum + message.length, 0);
    expect(characters).toBeLessThan(MAX_LINES_CHARACTERS + 100);
  });

  it('cannot be flooded with forged lines', async () => {
    const { sandbox, lines } = await given(`
      const forged = Array.from({ length: 60000 }, (_, i) => ['info', 'forged ' + i]);
      const { stringify } = JSON;
      let asked = 0;
      Array.prototype.toJSON = function () { asked += 1; return asked === 1 ? this : forged; };
      function transform() { return []; }`);
    await sandbox.run(BATCH).catch(() => {});
    expect(lines.length).toBeLessThanOrEqual(MAX_LINES + 1);
  });
});

describe('the rows of hostile code', () => {
  it.each<[string, string]>([
    ['too few values', 'return [["1"]]'],
    ['too many values', 'return [["1", "x", "y"]]'],
    ['an object for a row', 'return [{ 0: 1, 1: 2, length: 2 }]'],
    ['no rows', 'return { length: 1e9 }'],
    ['nothing', 'return undefined'],
    ['a number', 'return 7'],
  ])('are rejected when a patched toJSON makes them %s', async (_title, body) => {
    const { sandbox } = await given(`
      let isOn = false;
      Array.prototype.toJSON = function () { if (!isOn) return this; isOn = false; ${body}; };
      function transform() { isOn = true; return [{ n: 1, t: 'x' }]; }`);
    await expect(sandbox.run(BATCH)).rejects.toBeInstanceOf(SandboxError);
  });

  it.each<[string, string]>([
    ['a thrown proxy', 'throw new Proxy({}, { get() { throw 1; }, ownKeys() { throw 2; } })'],
    ['a thrown symbol', "throw Symbol('x')"],
    ['a thrown bigint', 'throw 10n ** 400n'],
    ['a thrown error of odd parts', "throw Object.assign(new Error('x'), { name: { toString: 1 }, stack: { y: 1 } })"],
    ['a thrown error with getters', 'throw { get name() { throw 1; }, get message() { for (;;); } }'],
    ['a forged place', "throw Object.assign(new Error('x'), { stack: 'code.js:99999999999999999999:0' })"],
    ['half a character', "throw new Error('\\ud800')"],
    ['a thrown nothing', 'throw undefined'],
    ['a row of proxies', 'return [new Proxy({}, { get: (_, name) => name })]'],
    ['a proxy for an array', 'return new Proxy([], { get: (_, name) => (name === "length" ? 1e6 : {}) })'],
    ['symbols as values', "return [{ n: Symbol('x'), t: Symbol('y') }]"],
    ['functions as values', 'return [{ n: () => 1, t: class {} }]'],
    ['an array with holes', 'return Array(3)'],
    ['an endless array', 'return { __proto__: Array.prototype, length: 2 ** 53 }'],
    [
      'an array that grows while it is read',
      'const all = [{}]; all[0] = { get n() { all.push(all[0]); return 1; } }; return all',
    ],
  ])('end the sandbox and nothing else: %s', async (_title, body) => {
    const { sandbox } = await given(`function transform() { ${body} }`, { batchMs: 300 });
    const outcome = await sandbox.run(BATCH).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SandboxError);
    else expect(outcome).toMatchObject({ csv: expect.any(String), rows: expect.any(Number) });
  });
});

describe('what comes out of the thread', () => {
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap');
      },
      has: () => {
        throw new Error('trap');
      },
    },
  );
  const getter = {
    get kind() {
      throw new Error('getter');
    },
  };

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'rows'],
    ['a list', []],
    ['a proxy', trap],
    ['a getter', getter],
    ['an unknown kind', { kind: 'constructor', lines: [] }],
    ['rows without text', { kind: 'rows', csv: 7, rows: 1, lines: [] }],
    ['a number of rows that is none', { kind: 'rows', csv: '', rows: -1, lines: [] }],
    ['a failure of its own code', { kind: 'failed', code: 'INTERNAL', message: 'x', lines: [] }],
    ['a failure without text', { kind: 'failed', code: 'TIMEOUT', message: {}, lines: [] }],
  ])('is no message: %s', (_title, value) => {
    expect(received(value)).toBeUndefined();
  });

  const SEEDS = Array.from({ length: cases(6, 40) }, (_, index) => 20_260 + index);

  it.each(SEEDS)('never throws and never lets through what is no line, seed %i', (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const any = (depth = 0): unknown => {
      const kinds: (() => unknown)[] = [
        () => pick(['rows', 'failed', 'ready', 'started', 'info', 'warn', 'error', '', '\ud800', 'x'.repeat(9_000)]),
        () => pick([0, -1, 1, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY]),
        () => pick([null, undefined, true, 10n, Symbol('x'), trap, getter, () => 1]),
        () =>
          depth > 3
            ? []
            : Array.from({ length: depth > 1 ? pick([0, 2_000]) : 2 }, () => (depth > 1 ? 'x' : any(depth + 1))),
        () => (depth > 3 ? {} : message(depth + 1)),
      ];
      return pick(kinds)();
    };
    const message = (depth = 0): Record<string, unknown> =>
      Object.fromEntries(
        [
          'kind',
          'csv',
          'rows',
          'code',
          'message',
          'position',
          'line',
          'column',
          'level',
          'lines',
          'task',
          '__proto__',
          'toJSON',
        ]
          .filter(() => random() < 0.7)
          .map((name) => [name, name === 'kind' ? pick(['rows', 'failed', 'ready', 'started']) : any(depth)]),
      );
    const lines: ConsoleLine[] = [];
    const log = cappedLog((line) => lines.push(line));
    for (let round = 0; round < 200; round++) {
      const found = received(message());
      if (found && 'lines' in found) log(found.lines);
    }
    expect(lines.length).toBeLessThanOrEqual(MAX_LINES + 1);
    for (const { level, message: text } of lines) {
      expect(['info', 'warn', 'error']).toContain(level);
      expect(typeof text === 'string' && text.length <= 4_000 && text.isWellFormed()).toBe(true);
    }
  });
});

describe('random hostile code', () => {
  const SPOILERS = [
    'Array.prototype.toJSON = function () { return ANY; };',
    'Object.prototype.toJSON = function () { return ANY; };',
    'String.prototype.toJSON = function () { throw ANY; };',
    'Array.prototype.map = () => ANY;',
    'Array.prototype.push = function () { this.length = 1e6; return ANY; };',
    'Array.prototype.join = () => ANY;',
    'String.prototype.slice = () => ANY;',
    'Array.isArray = () => true;',
    'JSON.stringify = () => ANY; JSON.parse = () => ANY;',
    "Object.defineProperty(Array.prototype, '0', { get() { return ANY; }, set() {}, configurable: true });",
    "Object.defineProperty(Object.prototype, 'n', { get() { throw ANY; }, configurable: true });",
    'Object.setPrototypeOf(Array.prototype, new Proxy({}, { get: () => ANY }));',
    'Symbol.iterator && (Array.prototype[Symbol.iterator] = function* () { yield ANY; });',
    'Error.prepareStackTrace = () => ANY;',
    'for (let i = 0; i < 3000; i++) console.log(ANY);',
    'console.error(new Proxy(() => 1, {}), ANY);',
  ];
  const VALUES = [
    '1',
    '"x"',
    'null',
    'undefined',
    '[["info", "x"]]',
    '[[{ x: 1 }, 7]]',
    '{ n: 1, t: {} }',
    "Symbol('a')",
    '10n',
    "'y'.repeat(5000)",
    '[[["a"]]]',
    'Array(50000).fill(["info", "z"])',
    '() => 1',
    'new Proxy([], {})',
    'new Error("e")',
    '[[1, "\\ud800"]]',
  ];
  const BODIES = [
    'return rows',
    'return ANY',
    'throw ANY',
    'return [{ n: ANY, t: ANY }]',
    'return rows.map(() => ANY)',
    "return [{ get n() { return ANY; }, t: '' }]",
  ];

  it.each([7, 11, 23, 42, 101, 977].slice(0, cases(2, 6)))('never gets past its border, seed %i', async (seed) => {
    const random = seededRandom(seed);
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
    const filled = (text: string) => text.replaceAll('ANY', () => `(${pick(VALUES)})`);
    for (let program = 0; program < cases(2, 4); program++) {
      const code = `${[1, 2, 3].map(() => filled(pick(SPOILERS))).join('\n')}\nfunction transform(rows) { ${filled(pick(BODIES))} }`;
      const lines: ConsoleLine[] = [];
      const outcome = await runOnce(code, lines);
      if (outcome instanceof Error) expect(outcome, code).toBeInstanceOf(SandboxError);
      else expect(outcome.csv.split('\n').length - 1, code).toBe(outcome.rows);
      expect(lines.length).toBeLessThanOrEqual(MAX_LINES + 1);
      for (const { level, message } of lines) {
        expect(['info', 'warn', 'error'], code).toContain(level);
        expect(typeof message, code).toBe('string');
      }
    }
  });

  async function runOnce(code: string, into: ConsoleLine[]): Promise<{ csv: string; rows: number } | Error> {
    try {
      const { sandbox, lines } = await given(code, { batchMs: 500 });
      try {
        return await sandbox.run(BATCH);
      } finally {
        into.push(...lines);
        await sandbox.close();
      }
    } catch (error) {
      return error as Error;
    }
  }
});

describe('the check of code', () => {
  const text = (code: string) => ({ code, language: 'javascript' as const, entrypoint: 'transform' });

  it('spends no more time on twelve endless codes than on three', async () => {
    expect(CHECK_LIMITS).toEqual({ codeMs: 2_000, wastedMs: 6_000, waitMs: 18_000 });
    const codes = Array.from({ length: 12 }, (_, index) => text(`for (;;) {} // ${index}`));
    const issues = await codeIssues([...codes, text(`${ONE_ROW} // unread`)], {
      codeMs: 200,
      wastedMs: 600,
      waitMs: 18_000,
    });
    expect(issues.map(([issue]) => issue?.code)).toEqual(Array(13).fill('TIMEOUT'));
    expect(issues[0]![0]!.message).toContain('took longer than 200 ms');
    expect(issues[2]![0]!.message).toContain('took longer than 200 ms');
    expect(issues[3]![0]!.message).toContain('was not checked');
    expect(issues[12]![0]!.message).toContain('was not checked');
  });

  it('counts the processor time of the code and not the time on the clock', async () => {
    const busy = Array.from({ length: 6 }, () =>
      codeIssues([text(`const end = 4e6; for (let i = 0; i < end; i++); ${ONE_ROW}`)]),
    );
    expect(await Promise.all(busy)).toEqual(Array(6).fill([[]]));
  });
});
