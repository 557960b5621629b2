import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparedValue } from '../../../../shared/data/blends/key-sql.ts';
import { COMPARED_AS, comparisonOf, KEY_KINDS, type KeyKind } from '../../../../shared/data/blends/key-types.ts';
import { type Engine, openEngine } from '../../../../shared/data/duckdb/engine.ts';

let engine: Engine;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'key-matrix-'));
  engine = await openEngine({ memoryLimitMb: 256, threads: 1, tempDir: folder });
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

/** What `auto` makes of a pair, by the kind on the left and those on the right in their order; `?x` suggests x. */
const AUTO: Record<KeyKind, string> = {
  text: 'text ?integer ?decimal ?decimal ?date ?datetime ?datetime ?uuid ?boolean',
  integer: '?integer integer decimal ?decimal ?- ?- ?- ?- ?-',
  decimal: '?decimal decimal decimal ?decimal ?- ?- ?- ?- ?-',
  number: '?decimal ?decimal ?decimal ?decimal ?- ?- ?- ?- ?-',
  date: '?date ?- ?- ?- date ?date ?date ?- ?-',
  localDatetime: '?datetime ?- ?- ?- ?date datetime ?date ?- ?-',
  datetime: '?datetime ?- ?- ?- ?date ?date datetime ?- ?-',
  uuid: '?uuid ?- ?- ?- ?- ?- ?- uuid ?-',
  boolean: '?boolean ?- ?- ?- ?- ?- ?- ?- boolean',
};

/** Which kinds each comparison takes: `x`, with a time zone `z`, or not `.`, in the order of the kinds. */
const TAKEN: Record<string, string> = {
  text: 'xxx.x..xx',
  integer: 'xxx......',
  decimal: 'xxxx.....',
  date: 'x...xxz..',
  datetime: 'x....xx..',
  uuid: 'x......x.',
  boolean: 'x.......x',
};

/** The literal on the left, on the right, the comparison with its options, and whether they match. */
type Cell = [left: string, right: string, as: string, matches: 'yes' | 'no' | 'lost left' | 'lost right' | 'lost both'];

const [T, I, D, N, DAY, LOCAL, ZONED, U, B] = KEY_KINDS;
const literal = (kind: KeyKind, value: string): string => {
  if (value === 'null') return `CAST(NULL AS ${SQL[kind]})`;
  if (value.startsWith('=')) return value.slice(1);
  return kind === 'localDatetime' ? `TIMESTAMPTZ '${value}Z'` : `CAST('${value}' AS ${SQL[kind]})`;
};
const SQL: Record<KeyKind, string> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(30, 12)',
  number: 'DOUBLE',
  date: 'DATE',
  localDatetime: 'TIMESTAMPTZ',
  datetime: 'TIMESTAMPTZ',
  uuid: 'UUID',
  boolean: 'BOOLEAN',
};

const BERLIN = { timezone: 'Europe/Berlin' };
const VALUES: { kinds: [KeyKind, KeyKind]; options?: object; cells: Cell[] }[] = [
  {
    kinds: [T, T],
    cells: [
      ['a', 'a', 'text', 'yes'],
      ['a', 'A', 'text', 'no'],
      ['a', 'a ', 'text', 'no'],
      ['', ' ', 'text', 'no'],
      ['', '', 'text', 'yes'],
      ['01', '1', 'text', 'no'],
      ['1.0', '1', 'text', 'no'],
      ['=chr(233)', "='e' || chr(769)", 'text', 'yes'],
      ['=chr(8490)', 'K', 'text', 'yes'],
      ['=chr(64256)', 'ff', 'text', 'no'],
      ['straße', 'STRASSE', 'text', 'no'],
      ['null', 'null', 'text', 'no'],
      ['null', 'a', 'text', 'no'],
      ['null', '', 'text', 'no'],
      ['=repeat(chr(97), 5000)', '=repeat(chr(97), 5000)', 'text', 'yes'],
      ['1', ' 1', 'integer', 'yes'],
      ['1', '+1', 'integer', 'yes'],
      ['01', '1', 'integer', 'yes'],
      ['1.0', '1', 'integer', 'yes'],
      ['1.5', '2', 'integer', 'lost left'],
      ['1e3', '1000', 'integer', 'lost left'],
      ['', '0', 'integer', 'lost left'],
      ['x', 'x', 'integer', 'lost both'],
      ['9223372036854775807', '9223372036854775807', 'integer', 'yes'],
      ['9223372036854775808', '9223372036854775807', 'integer', 'lost left'],
      ['1.50', '1.5', 'decimal', 'yes'],
      ['1,5', '1.5', 'decimal', 'lost left'],
      ['-0', '0', 'decimal', 'yes'],
      ['0.12345678901', '0.12345678901', 'decimal', 'lost both'],
      ['0.12345678900', '0.123456789', 'decimal', 'yes'],
      ['NaN', 'NaN', 'decimal', 'lost both'],
      ['2026-01-05', ' 2026-01-05', 'date', 'yes'],
      ['2026-1-5', '2026-01-05', 'date', 'lost left'],
      ['05.01.2026', '2026-01-05', 'date', 'lost left'],
      ['2026-02-30', '2026-03-02', 'date', 'lost left'],
      ['2026-01-05 10:00:00', '2026-01-05', 'date', 'lost left'],
      ['TRUE', 'true', 'boolean', 'yes'],
      ['1', 'true', 'boolean', 'lost left'],
      ['t', 'true', 'boolean', 'lost left'],
      ['yes', 'true', 'boolean', 'lost left'],
      ['0192C4E0-0A11-7A0F-8B21-6C5D4E3F2A02', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', 'uuid', 'yes'],
      ['0192c4e0', '0192c4e0', 'uuid', 'lost both'],
    ],
  },
  {
    kinds: [T, T],
    options: { caseInsensitive: true },
    cells: [
      ['a', 'A', 'text', 'yes'],
      ['É', "='e' || chr(769)", 'text', 'yes'],
      ['straße', 'STRASSE', 'text', 'no'],
      ['Σ', 'ς', 'text', 'no'],
      ['a ', 'A', 'text', 'no'],
      ['null', 'NULL', 'text', 'no'],
    ],
  },
  {
    kinds: [T, T],
    options: { trim: true },
    cells: [
      ['a', ' a', 'text', 'yes'],
      ['a', 'a  ', 'text', 'yes'],
      ["='a' || chr(160)", 'a', 'text', 'yes'],
      ["=chr(9) || 'a' || chr(10)", 'a', 'text', 'yes'],
      ['a b', 'a  b', 'text', 'no'],
      ['', '  ', 'text', 'yes'],
      ['A', 'a', 'text', 'no'],
    ],
  },
  {
    kinds: [T, T],
    options: BERLIN,
    cells: [
      ['2026-01-05T10:00:00Z', '2026-01-05 11:00', 'datetime', 'yes'],
      ['2026-01-05T10:00:00+01:00', '2026-01-05T09:00:00Z', 'datetime', 'yes'],
      ['2026-01-05T10:00:00.123456Z', '2026-01-05T10:00:00.123456+00', 'datetime', 'yes'],
      ['2026-01-05', '2026-01-05T00:00:00', 'datetime', 'lost left'],
      ['now', '2026-01-05T00:00', 'datetime', 'lost left'],
    ],
  },
  {
    kinds: [I, I],
    cells: [
      ['1', '1', 'integer', 'yes'],
      ['1', '2', 'integer', 'no'],
      ['-1', '1', 'integer', 'no'],
      ['9007199254740993', '9007199254740992', 'integer', 'no'],
      ['9223372036854775807', '9223372036854775807', 'integer', 'yes'],
      ['null', '0', 'integer', 'no'],
      ['null', 'null', 'integer', 'no'],
      ['1', '1', 'text', 'yes'],
      ['10', '1', 'text', 'no'],
      ['1', '1', 'decimal', 'yes'],
    ],
  },
  {
    kinds: [I, D],
    cells: [
      ['1', '1.000000000000', 'decimal', 'yes'],
      ['1', '1.500000000000', 'decimal', 'no'],
      ['1', '1.000000000001', 'decimal', 'lost right'],
      ['1', '1', 'integer', 'yes'],
      ['2', '1.5', 'integer', 'lost right'],
      ['9007199254740993', '9007199254740993', 'decimal', 'yes'],
      ['9007199254740993', '9007199254740992', 'decimal', 'no'],
      ['9223372036854775807', '1', 'decimal', 'no'],
      ['null', '0', 'decimal', 'no'],
      ['1', '1', 'text', 'no'],
    ],
  },
  {
    kinds: [D, D],
    cells: [
      ['1.5', '1.50', 'decimal', 'yes'],
      ['0', '-0', 'decimal', 'yes'],
      ['0.1234567891', '0.1234567891', 'decimal', 'yes'],
      ['0.12345678912', '0.12345678912', 'decimal', 'lost both'],
      ['1.5', '2', 'integer', 'lost left'],
      ['2', '2', 'integer', 'yes'],
      ['null', 'null', 'decimal', 'no'],
      ['1.5', '1.5', 'text', 'yes'],
    ],
  },
  {
    kinds: [N, N],
    cells: [
      ['0.1', '0.1', 'decimal', 'yes'],
      ['=0.1::DOUBLE + 0.2::DOUBLE', '0.3', 'decimal', 'yes'],
      ['=-0.0::DOUBLE', '0', 'decimal', 'yes'],
      ['nan', 'nan', 'decimal', 'lost both'],
      ['inf', 'inf', 'decimal', 'lost both'],
      ['1e30', '1e30', 'decimal', 'lost both'],
      ['null', 'nan', 'decimal', 'lost right'],
      ['1', '2', 'decimal', 'no'],
    ],
  },
  {
    kinds: [I, N],
    cells: [
      ['1', '1', 'decimal', 'yes'],
      ['1', '1.5', 'decimal', 'no'],
      ['9007199254740993', '9007199254740992', 'decimal', 'no'],
      ['0', 'nan', 'decimal', 'lost right'],
      ['null', '0', 'decimal', 'no'],
    ],
  },
  {
    kinds: [D, N],
    cells: [
      ['0.1', '0.1', 'decimal', 'yes'],
      ['0.3', '=0.1::DOUBLE + 0.2::DOUBLE', 'decimal', 'yes'],
      ['1', '2', 'decimal', 'no'],
      ['0', 'inf', 'decimal', 'lost right'],
    ],
  },
  {
    kinds: [T, I],
    cells: [
      ['1', '1', 'integer', 'yes'],
      ['01', '1', 'integer', 'yes'],
      [' 1 ', '1', 'integer', 'yes'],
      ['1.0', '1', 'integer', 'yes'],
      ['1.', '1', 'integer', 'yes'],
      ['abc', '1', 'integer', 'lost left'],
      ['', '0', 'integer', 'lost left'],
      ['0x10', '16', 'integer', 'lost left'],
      ['1_000', '1000', 'integer', 'lost left'],
      ['1e3', '1000', 'integer', 'lost left'],
      ['true', '1', 'integer', 'lost left'],
      ['01', '1', 'text', 'no'],
      ['1', '1', 'text', 'yes'],
      [' 1', '1', 'text', 'no'],
      ['null', '1', 'text', 'no'],
      ['1.5', '1', 'decimal', 'no'],
      ['1.0', '1', 'decimal', 'yes'],
    ],
  },
  {
    kinds: [T, D],
    cells: [
      ['1.5', '1.5', 'decimal', 'yes'],
      ['1.50', '1.5', 'decimal', 'yes'],
      ['$1.5', '1.5', 'decimal', 'lost left'],
      ['1.5', '1.5', 'text', 'no'],
      ['1.500000000000', '1.5', 'text', 'yes'],
      ['2', '2', 'integer', 'yes'],
      ['null', '2', 'integer', 'no'],
    ],
  },
  {
    kinds: [T, N],
    cells: [
      ['1.5', '1.5', 'decimal', 'yes'],
      ['NaN', 'nan', 'decimal', 'lost both'],
      ['x', '1', 'decimal', 'lost left'],
    ],
  },
  {
    kinds: [DAY, DAY],
    cells: [
      ['2026-01-05', '2026-01-05', 'date', 'yes'],
      ['2026-01-05', '2026-05-01', 'date', 'no'],
      ['null', '2026-01-05', 'date', 'no'],
      ['null', 'null', 'date', 'no'],
      ['2026-01-05', '2026-01-05', 'text', 'yes'],
    ],
  },
  {
    kinds: [T, DAY],
    cells: [
      ['2026-01-05', '2026-01-05', 'date', 'yes'],
      ['2026-01-05', '2026-01-05', 'text', 'yes'],
      ['2026-1-5', '2026-01-05', 'date', 'lost left'],
      ['20260105', '2026-01-05', 'date', 'lost left'],
      ['infinity', '2026-01-05', 'date', 'lost left'],
    ],
  },
  {
    kinds: [DAY, LOCAL],
    cells: [
      ['2026-01-05', '2026-01-05 00:00:00', 'date', 'yes'],
      ['2026-01-05', '2026-01-05 23:59:59', 'date', 'yes'],
      ['2026-01-05', '2026-01-06 00:00:00', 'date', 'no'],
      ['null', '2026-01-06 00:00:00', 'date', 'no'],
    ],
  },
  {
    kinds: [DAY, ZONED],
    options: BERLIN,
    cells: [
      ['2026-01-05', '2026-01-05 10:00:00Z', 'date', 'yes'],
      ['2026-01-05', '2026-01-05 23:30:00Z', 'date', 'no'],
      ['2026-01-06', '2026-01-05 23:30:00Z', 'date', 'yes'],
      ['2026-07-06', '2026-07-05 22:30:00Z', 'date', 'yes'],
    ],
  },
  {
    kinds: [DAY, ZONED],
    options: { timezone: 'Pacific/Auckland' },
    cells: [
      ['2026-01-06', '2026-01-05 11:00:00Z', 'date', 'yes'],
      ['2026-01-05', '2026-01-05 11:00:00Z', 'date', 'no'],
    ],
  },
  {
    kinds: [LOCAL, LOCAL],
    cells: [
      ['2026-01-05 10:00:00', '2026-01-05 10:00:00', 'datetime', 'yes'],
      ['2026-01-05 10:00:00', '2026-01-05 10:00:00.000001', 'datetime', 'no'],
      ['2026-01-05 10:00:00', '2026-01-05 22:00:00', 'date', 'yes'],
      ['null', 'null', 'datetime', 'no'],
    ],
  },
  {
    kinds: [ZONED, ZONED],
    cells: [
      ['2026-01-05 10:00:00Z', '2026-01-05 11:00:00+01', 'datetime', 'yes'],
      ['2026-01-05 10:00:00Z', '2026-01-05 10:00:00+01', 'datetime', 'no'],
      ['null', '2026-01-05 10:00:00Z', 'datetime', 'no'],
    ],
  },
  {
    kinds: [LOCAL, ZONED],
    options: BERLIN,
    cells: [
      ['2026-01-05 11:00:00', '2026-01-05 10:00:00Z', 'datetime', 'yes'],
      ['2026-07-05 12:00:00', '2026-07-05 10:00:00Z', 'datetime', 'yes'],
      ['2026-01-05 10:00:00', '2026-01-05 10:00:00Z', 'datetime', 'no'],
      ['2026-01-06 03:00:00', '2026-01-05 23:30:00Z', 'date', 'yes'],
      ['null', '2026-01-05 10:00:00Z', 'datetime', 'no'],
    ],
  },
  {
    kinds: [T, LOCAL],
    options: BERLIN,
    cells: [
      ['2026-01-05T11:00', '2026-01-05 11:00:00', 'datetime', 'yes'],
      ['2026-01-05T10:00:00Z', '2026-01-05 11:00:00', 'datetime', 'yes'],
      ['2026-01-05T10:00Z', '2026-01-05 11:00:00', 'datetime', 'lost left'],
      ['tomorrow', '2026-01-05 11:00:00', 'datetime', 'lost left'],
    ],
  },
  {
    kinds: [T, ZONED],
    options: BERLIN,
    cells: [
      ['2026-01-05 11:00', '2026-01-05 10:00:00Z', 'datetime', 'yes'],
      ['2026-01-05 10:00:00Z', '2026-01-05 10:00:00Z', 'datetime', 'yes'],
      ['2026-01-06', '2026-01-05 23:30:00Z', 'date', 'yes'],
    ],
  },
  {
    kinds: [U, U],
    cells: [
      ['0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', 'uuid', 'yes'],
      ['0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a03', 'uuid', 'no'],
      ['null', 'null', 'uuid', 'no'],
      ['0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', 'text', 'yes'],
    ],
  },
  {
    kinds: [T, U],
    cells: [
      ['0192C4E0-0A11-7A0F-8B21-6C5D4E3F2A02', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', 'uuid', 'yes'],
      ['0192C4E0-0A11-7A0F-8B21-6C5D4E3F2A02', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', 'text', 'no'],
      ['no id', '0192c4e0-0a11-7a0f-8b21-6c5d4e3f2a02', 'uuid', 'lost left'],
    ],
  },
  {
    kinds: [B, B],
    cells: [
      ['true', 'true', 'boolean', 'yes'],
      ['true', 'false', 'boolean', 'no'],
      ['null', 'false', 'boolean', 'no'],
      ['true', 'true', 'text', 'yes'],
    ],
  },
  {
    kinds: [T, B],
    cells: [
      [' True', 'true', 'boolean', 'yes'],
      ['1', 'true', 'boolean', 'lost left'],
      ['', 'false', 'boolean', 'lost left'],
      ['true', 'true', 'text', 'yes'],
      ['True', 'true', 'text', 'no'],
    ],
  },
];

describe('the keys of a blend', () => {
  it.each(KEY_KINDS)('compare %s with another kind on their own only where nothing is converted', (left) => {
    const found = KEY_KINDS.map((right) => {
      const result = comparisonOf(left, right, { as: 'auto' });
      if (typeof result === 'string') return result;
      return result.code === 'BLEND_KEY_TYPE' ? `?${result.suggestion ?? '-'}` : result.code;
    });
    expect(found.join(' ')).toBe(AUTO[left]);
  });

  it.each(COMPARED_AS)('take for %s the kinds that can be read as it', (as) => {
    const found = KEY_KINDS.map((kind) => {
      const result = comparisonOf(kind, kind, { as });
      if (typeof result === 'string') return 'x';
      return result.code === 'BLEND_KEY_TIMEZONE' ? (kind === 'text' ? 'x' : 'z') : '.';
    });
    expect(found.join('')).toBe(TAKEN[as]);
  });

  it('need a zone where a date or an instant depends on it, and take none elsewhere', () => {
    const zone = { code: 'BLEND_KEY_TIMEZONE' };
    expect(comparisonOf('date', 'datetime', { as: 'date' })).toEqual(zone);
    expect(comparisonOf('localDatetime', 'datetime', { as: 'datetime' })).toEqual(zone);
    expect(comparisonOf('text', 'datetime', { as: 'datetime' })).toEqual(zone);
    expect(comparisonOf('date', 'date', { as: 'date', timezone: 'UTC' })).toEqual({
      code: 'CONFLICT',
      member: 'timezone',
    });
    expect(comparisonOf(undefined, 'text', { as: 'text' })).toEqual({ code: 'BLEND_KEY_TYPE', suggestion: null });
  });

  it.each(VALUES)('match $kinds $options as in the golden cells', async ({ kinds: [left, right], options, cells }) => {
    for (const [one, other, as, expected] of cells) {
      const comparison = { as: as as (typeof COMPARED_AS)[number], ...options };
      // A zone that a comparison does not need is not given either.
      const { code } = comparisonOf(left, right, comparison) as { code?: string };
      expect(code ?? 'CONFLICT', `${left} ${right} ${as}`).toBe('CONFLICT');
      const sides = `(SELECT ${literal(left, one)} AS l, ${literal(right, other)} AS r)`;
      const keys = `SELECT l, r, ${comparedValue('l', left, comparison)} AS x, ${comparedValue('r', right, comparison)} AS y FROM ${sides}`;
      const [[matches, lostLeft, lostRight] = []] = await engine.run(
        `SELECT coalesce(x = y, false), l IS NOT NULL AND x IS NULL, r IS NOT NULL AND y IS NULL FROM (${keys})`,
      );
      const lost = lostLeft && lostRight ? 'lost both' : lostLeft ? 'lost left' : lostRight ? 'lost right' : undefined;
      expect(lost ?? (matches ? 'yes' : 'no'), `${one} ${other} ${as}`).toBe(expected);
    }
  });

  it('have 300 cells', () => {
    const cells = VALUES.reduce((sum, each) => sum + each.cells.length, 0);
    expect(KEY_KINDS.length ** 2 + KEY_KINDS.length * COMPARED_AS.length + cells).toBeGreaterThanOrEqual(300);
  });
});
