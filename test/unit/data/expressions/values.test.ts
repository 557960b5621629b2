import { describe, expect, it } from 'vitest';
import { analyze, type Dialect, emit, type Scope, type Typed } from '../../../../shared/data/expressions/index.ts';
import { conditionOn } from '../../../../shared/domains/semantics/questions/conditions.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { useEngines } from './two-engines.ts';

/** Every day of some weeks around New Year, and moments in a year of both offsets. */
const DAYS = [2000, 2005, 2010, 2016, 2021, 2024, 2027].flatMap((year) =>
  Array.from({ length: 20 }, (_, index) => Date.UTC(year, 11, 22 + index)),
);
const MOMENTS = Array.from({ length: 300 }, (_, index) => Date.UTC(2024, 0, 1, 0, 17) + index * 105_000_000);

const random = seededRandom(38);
const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
const WORDS = [
  'Nord',
  'nord',
  'süd',
  'Süd',
  'a😀b',
  '漢字',
  '',
  "o'o",
  'a, b',
  'Z',
  '%',
  '\\',
  '\uffee',
  null,
  'οδος',
  'ΟΔΌΣ',
  'ΟΔΟΣ!',
  'İstanbul',
  'istanbul',
  'a_b',
  'a%B',
  'c:\\%x',
  "O'Neil",
  'STRASSE',
  'straße',
];
const TEXTS = Array.from({ length: 400 }, (_, index) => ({ group: index % 23, text: pick(WORDS) }));

/** A text as both engines read it. */
const literal = (text: string | null) =>
  text === null ? 'NULL' : `'${text.replaceAll("'", "''").replaceAll('\\', "' || chr(92) || '")}'`;

const engines = useEngines(
  [
    'CREATE TABLE times ("id" INTEGER, "day" DATE, "at" TIMESTAMPTZ)',
    `INSERT INTO times VALUES ${[...DAYS, ...MOMENTS]
      .map((time, index) => {
        const text = new Date(time).toISOString();
        return `(${index}, '${text.slice(0, 10)}', '${text.slice(0, 19).replace('T', ' ')}+00')`;
      })
      .join(', ')}`,
    'CREATE TABLE texts ("id" INTEGER, "group" INTEGER, "text" VARCHAR)',
    `INSERT INTO texts VALUES ${TEXTS.map(({ group, text }, index) => `(${index}, ${group}, ${literal(text)})`).join(', ')}`,
  ].join(';\n'),
);

const field = (name: string, dataType: 'date' | 'datetime' | 'string' | 'integer') => ({ id: name, name, dataType });
const SCOPE: Scope = {
  tables: [
    {
      id: 'data',
      alias: 'data',
      fields: [field('day', 'date'), field('at', 'datetime'), field('text', 'string'), field('id', 'integer')],
    },
  ],
  measures: [],
};

/** Latin to Greek, Cyrillic, Georgian, Cherokee, letters with signs, full width, and Deseret. */
const BLOCKS = [
  [0x20, 0x52f],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1e00, 0x1fff],
  [0x2100, 0x218f],
  [0x2c00, 0x2c2e],
  [0xa640, 0xa69f],
  [0xff00, 0xff5f],
  [0x10400, 0x1044f],
] as const;

const foldCase = (text: string) =>
  [...text].map((letter) => (letter === 'İ' ? 'i' : letter.toLowerCase().replace('ς', 'σ'))).join('');

const MATCHES = {
  eq: (text: string, part: string) => text === part,
  ne: (text: string, part: string) => text !== part,
  contains: (text: string, part: string) => text.includes(part),
  not_contains: (text: string, part: string) => !text.includes(part),
  starts_with: (text: string, part: string) => text.startsWith(part),
  ends_with: (text: string, part: string) => text.endsWith(part),
};
const TEXT_OPERATORS = Object.keys(MATCHES) as (keyof typeof MATCHES)[];
const PARTS_OF_TEXTS = [
  'nord',
  'NORD',
  'SÜD',
  'd',
  '%',
  '_',
  '\\',
  "'",
  "O'",
  '😀B',
  '字',
  '',
  'ΟΔΟΣ',
  'a%',
  '\\%',
  'İST',
];

/** The values of an expression, as texts. */
async function valuesOf(dialect: Dialect, text: string, rest: string, timezone = 'UTC'): Promise<(string | null)[]> {
  const { valid, diagnostics } = analyze(text, SCOPE, { purpose: rest.includes('GROUP BY') ? 'measure' : 'row' });
  if (!valid) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  const sql = sqlOf(dialect, valid.tree, timezone);
  return (await engines[dialect](`SELECT ${sql} ${rest}`)).rows.map(([value]) => value!);
}

function sqlOf(dialect: Dialect, tree: Typed, timezone: string): string {
  const columnOf = ({ field: column }: { field: string }) => ({ column });
  const emission = emit(tree, { dialect, columnOf, timezone, now: new Date(0) });
  if (emission.kind !== 'sql') throw new Error(JSON.stringify(emission));
  return emission.sql;
}

const HOUR = 3_600_000;
const dayOfYear = (at: Date) => (at.setUTCHours(0, 0, 0, 0) - Date.UTC(at.getUTCFullYear(), 0, 1)) / (24 * HOUR) + 1;
const isoDay = (at: Date) => at.getUTCDay() || 7;
/** A week belongs to the year of its Thursday. */
const thursdayOf = (at: Date) => new Date(at.getTime() + (4 - isoDay(at)) * 24 * HOUR);
const WEEKDAYS = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
const MONTHS = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

const PARTS: Record<string, (at: Date) => number | string> = {
  YEAR: (at) => at.getUTCFullYear(),
  QUARTER: (at) => Math.floor(at.getUTCMonth() / 3) + 1,
  MONTH: (at) => at.getUTCMonth() + 1,
  DAY: (at) => at.getUTCDate(),
  WEEK: (at) => Math.ceil(dayOfYear(thursdayOf(at)) / 7),
  ISO_YEAR: (at) => thursdayOf(at).getUTCFullYear(),
  DAY_OF_WEEK: isoDay,
  DAY_OF_YEAR: dayOfYear,
  DAY_NAME: (at) => WEEKDAYS.format(at),
  MONTH_NAME: (at) => MONTHS.format(at),
  HOUR: (at) => at.getUTCHours(),
  MINUTE: (at) => at.getUTCMinutes(),
};

const ZONES = ['Europe/Berlin', 'Asia/Kolkata', 'America/New_York'].map((zone) => {
  const clock = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  /** A time whose parts in UTC are those of the moment in the zone. */
  return { zone, wallOf: (time: number) => new Date(`${clock.format(time).replace(' ', 'T')}Z`) };
});

describe.each(['duckdb', 'postgres'] as const)('in %s', (dialect) => {
  it.each(Object.keys(PARTS))('%s is what the calendar says', async (name) => {
    if (name !== 'HOUR' && name !== 'MINUTE') {
      const found = await valuesOf(dialect, `${name}([day])`, `FROM times ORDER BY "id" LIMIT ${DAYS.length}`);
      expect(found).toEqual(DAYS.map((day) => String(PARTS[name]!(new Date(day)))));
    }
    for (const { zone, wallOf } of ZONES) {
      const rest = `FROM times WHERE "id" >= ${DAYS.length} ORDER BY "id"`;
      const found = await valuesOf(dialect, `${name}([at])`, rest, zone);
      expect(found, zone).toEqual(MOMENTS.map((time) => String(PARTS[name]!(wallOf(time)))));
    }
  });

  it('lists of distinct texts are sorted by code points and end after the count', async () => {
    const byCodePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    for (const count of [undefined, 1, 3, 1000]) {
      const text = count === undefined ? 'LIST_DISTINCT([text])' : `LIST_DISTINCT([text], ${count})`;
      const found = await valuesOf(dialect, text, 'FROM texts GROUP BY "group" ORDER BY "group"');
      const expected = Array.from({ length: 23 }, (_, group) => {
        const given = TEXTS.filter((row) => row.group === group && row.text !== null).map((row) => row.text!);
        const all = [...new Set(given)].sort(byCodePoints);
        return all.length > (count ?? 100) ? `${all.slice(0, count).join(', ')}, …` : all.join(', ');
      });
      expect(found, text).toEqual(expected);
    }
    const [many] = await valuesOf(dialect, 'LIST_DISTINCT(TO_TEXT([id]))', 'FROM texts GROUP BY ()');
    const ids = TEXTS.map((_, index) => String(index)).sort(byCodePoints);
    expect(many).toBe(`${ids.slice(0, 100).join(', ')}, …`);
  });

  it('any value is the first by code points', async () => {
    const found = await valuesOf(dialect, 'ANY_VALUE([text])', 'FROM texts GROUP BY "group" ORDER BY "group"');
    for (const [group, value] of found.entries()) {
      const texts = TEXTS.filter((row) => row.group === group && row.text !== null).map((row) => row.text!);
      expect(texts.every((text) => Buffer.compare(Buffer.from(value!), Buffer.from(text)) <= 0)).toBe(true);
      expect(texts).toContain(value);
    }
  });

  it('every letter loses its case as the table of simple mappings says', async () => {
    const series = dialect === 'duckdb' ? 'range' : 'generate_series';
    for (const [from, to] of BLOCKS) {
      const codes = `${series}(${from}, ${dialect === 'duckdb' ? to + 1 : to}) AS numbers(code)`;
      const letters = `(SELECT code, concat('Α', chr(CAST(code AS integer))) AS "text" FROM ${codes}) AS letters`;
      const found = await valuesOf(dialect, 'FOLD_CASE([text])', `FROM ${letters} ORDER BY code`);
      const expected = found.map((_, index) => foldCase(`Α${String.fromCodePoint(from + index)}`));
      expect(found).toEqual(expected);
    }
  });

  it.each(TEXT_OPERATORS)(
    'a filter with %s finds the texts as they are written, with and without their case',
    async (op) => {
      for (const part of PARTS_OF_TEXTS) {
        for (const ignoreCase of [false, true]) {
          const read = (text: string) => (ignoreCase ? foldCase(text) : text);
          const value = analyze('[text]', SCOPE, { purpose: 'row' }).valid!.tree;
          const condition = conditionOn(
            value,
            { op, values: [part], ignoreCase },
            { now: new Date(0), timezone: 'UTC' },
          );
          if ('issues' in condition) throw new Error(JSON.stringify(condition));
          const sql = sqlOf(dialect, condition, 'UTC');
          const { rows } = await engines[dialect](`SELECT "id" FROM texts WHERE ${sql} ORDER BY "id"`);
          const isKept = (text: string | null) =>
            text === null ? op === 'ne' || op === 'not_contains' : MATCHES[op](read(text), read(part));
          const expected = TEXTS.flatMap(({ text }, index) => (isKept(text) ? [String(index)] : []));
          expect(
            rows.map(([id]) => id),
            `${op} ${part} ${ignoreCase}`,
          ).toEqual(expected);
        }
      }
    },
  );
});
