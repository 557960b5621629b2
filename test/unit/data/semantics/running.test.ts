import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type Asked, planOf, planOfRows, type Shape, sqlIn, sqlOf } from './support/ask.ts';
import type { Value } from './support/brute-force.ts';
import { rounded, sorted } from './support/expect-right.ts';
import { relation } from './support/random-shapes.ts';
import { type TwoEngines, twoEngines } from './support/two-engines.ts';

let engines: TwoEngines;
beforeAll(async () => {
  engines = await twoEngines();
  await engines.load('running', shape);
  await engines.load('running_rights', restricted);
});
afterAll(() => engines.close());

interface Visit {
  day: string | null;
  shop: string | null;
  person: number | null;
  amount: number | null;
  /** The kinds of the person, who may have several. */
  kinds: number[];
}

const random = seededRandom(28);
const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!;
const GROUPS = [0, 1, 2];
/** Groups of persons, and the kinds that each group has. */
const KINDS = [0, 1, 2, 3].map((key) => ({ 'k.key': key, 'k.group': pick(GROUPS), 'k.amount': 9 }));
const PERSONS = Array.from({ length: 7 }, (_, key) => ({ 'p.key': key, 'p.group': pick(GROUPS), 'p.amount': 9 - key }));
const kindsOf = (person: number | null) => {
  const group = PERSONS.find((each) => each['p.key'] === person)?.['p.group'];
  return KINDS.filter((kind) => kind['k.group'] === group).map((kind) => kind['k.key']);
};
const VISITS: Visit[] = Array.from({ length: 90 }, () => {
  const person = random() < 0.1 ? null : Math.floor(random() * 7);
  const month = pick(['2025-11', '2025-12', '2026-01', '2026-02', '2026-04']);
  return {
    day: random() < 0.08 ? null : `${month}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`,
    shop: random() < 0.1 ? null : pick(['A', 'b']),
    person,
    amount: random() < 0.15 ? null : Math.floor(random() * 9),
    kinds: kindsOf(person),
  };
});

const shape: Shape = {
  relationships: [relation('p>v'), relation('p<>k')],
  types: { 'v.day': 'date', 'v.at': 'datetime', 'v.shop': 'string' },
  tables: {
    v: VISITS.map(({ day, shop, person, amount }, index) => ({
      'v.key': index,
      'v.day': day,
      // Late in the evening in Berlin, where it is still the same day.
      'v.at': day && `${day}T21:30:00Z`,
      'v.shop': shop,
      'v.of_p': person,
      'v.amount': amount,
    })),
    p: PERSONS,
    k: KINDS,
  },
};
const restricted: Shape = { ...shape, restricted: ['v', 'p'] };
const isVisible = ({ amount, person }: Visit) =>
  amount !== null && amount >= 3 && person !== null && PERSONS[person]!['p.amount'] >= 3;

type Grain = 'day' | 'week' | 'month' | 'quarter' | 'year';
const utc = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day));
const textOf = (at: Date) => at.toISOString().slice(0, 10);
const partsOf = (text: string) => {
  const at = new Date(text);
  return [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCDay()] as const;
};
function startOf(grain: Grain, text: string): string {
  const [year, month, day, weekday] = partsOf(text);
  if (grain === 'day') return text;
  if (grain === 'week') return textOf(utc(year, month, day - ((weekday + 6) % 7)));
  return textOf(utc(year, grain === 'year' ? 0 : grain === 'quarter' ? month - (month % 3) : month, 1));
}
/** Months later or earlier; in a shorter month, its last day. */
function addMonths(text: string, count: number): string {
  const [year, month, day] = partsOf(text);
  const last = utc(year, month + count + 1, 0).getUTCDate();
  return textOf(utc(year, month + count, Math.min(day, last)));
}
function add(grain: Grain, count: number, text: string): string {
  const [year, month, day] = partsOf(text);
  if (grain === 'day' || grain === 'week') return textOf(utc(year, month, day + count * (grain === 'week' ? 7 : 1)));
  return addMonths(text, count * { month: 1, quarter: 3, year: 12 }[grain]);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const amounts = (rows: readonly Visit[]) => rows.flatMap(({ amount }) => amount ?? []);
const orNull = (values: readonly number[], of: (values: readonly number[]) => number) =>
  values.length === 0 ? null : of(values);
const mean = (values: readonly number[]) => sum(values) / values.length;
const persons = (rows: readonly Visit[]) => new Set(rows.flatMap(({ person }) => person ?? [])).size;
const byDay = (rows: readonly Visit[]) =>
  [
    ...Map.groupBy(
      rows.filter(({ day }) => day),
      ({ day }) => day!,
    ),
  ]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => amounts(each))
    .filter((each) => each.length > 0)
    .map(sum);

const MEASURES: readonly [text: string, value: (rows: readonly Visit[]) => number | null][] = [
  ['SUM([v.amount])', (rows) => orNull(amounts(rows), sum)],
  ['COUNT([v.amount])', (rows) => amounts(rows).length],
  ['MAX([v.amount])', (rows) => orNull(amounts(rows), (values) => Math.max(...values))],
  ['AVG([v.amount])', (rows) => orNull(amounts(rows), mean)],
  ['COUNT_DISTINCT([v.of_p])', persons],
  [
    'MEDIAN([v.amount])',
    (rows) =>
      orNull(
        amounts(rows).toSorted((a, b) => a - b),
        (values) => (values[Math.floor((values.length - 1) / 2)]! + values[Math.ceil((values.length - 1) / 2)]!) / 2,
      ),
  ],
  ['LAST_OVER(SUM([v.amount]), [v.day])', (rows) => byDay(rows).at(-1) ?? null],
  ['AVG_PER(SUM([v.amount]), [v.day])', (rows) => orNull(byDay(rows), mean)],
  [
    'SUM([v.amount]) / COUNT_DISTINCT([v.of_p])',
    (rows) => (persons(rows) === 0 ? null : orNull(amounts(rows), (all) => sum(all) / persons(rows))),
  ],
];

interface Question {
  grain: Grain;
  /** Reads the group of a visit; the time comes after it. */
  by?: { dimension: string; read: (visit: Visit) => Value[] };
  from?: string;
  totals?: 'none' | 'all';
  isDense?: boolean;
  field?: string;
}

/** Whether a day counts in a period. */
type Counts = (period: string, day: string) => boolean;

interface Member {
  visit: Visit;
  key: Value;
}

/** The groups of the reply: those with rows, and with a dense axis all periods of each key. */
function groupsOf(shown: readonly Member[], { grain, from, isDense }: Question): [key: Value, period: string | null][] {
  const periodOf = ({ visit: { day } }: Member) => day && startOf(grain, day);
  const groups = shown.map((member): [Value, string | null] => [member.key, periodOf(member)]);
  const all = shown.flatMap((member) => periodOf(member) ?? []).sort();
  const axis: string[] = [];
  for (let at = from ? startOf(grain, from) : all[0]!; isDense && at <= all.at(-1)!; at = add(grain, 1, at))
    axis.push(at);
  const added = shown.flatMap(({ key }) => axis.map((at): [Value, string | null] => [key, at]));
  return [...new Map([...groups, ...added].map((group) => [JSON.stringify(group), group])).values()];
}

/** `reaches`: whether rows before the filters count, and totals over all periods have no value. */
function expected(visits: readonly Visit[], counts: Counts, reaches: boolean, question: Question): Value[][] {
  const { by, from, totals } = question;
  const isAsked = ({ visit: { day } }: Member) => from === undefined || (day !== null && day >= from);
  const members = visits.flatMap((visit) => (by ? by.read(visit) : [null]).map((key): Member => ({ visit, key })));
  const shown = members.filter(isAsked);
  const valuesOf = (of: readonly Member[]) => {
    const rows = [...new Set(of.map(({ visit }) => visit))];
    return MEASURES.map(([, value]) => value(rows));
  };
  const apart = (of: readonly Member[]) => (reaches ? MEASURES.map(() => null) : valuesOf(of));
  const level = (number: number) => (totals === 'all' ? [number] : []);
  const keyed = (key: Value) => (by ? [key] : []);
  const rows = groupsOf(shown, question).map(([key, period]): Value[] => {
    const own = members.filter((member) => member.key === key && (reaches || isAsked(member)));
    const found = period
      ? valuesOf(own.filter(({ visit: { day } }) => day !== null && counts(period, day)))
      : apart(own.filter(({ visit: { day } }) => day === null));
    return [...level(by ? 2 : 1), ...keyed(key), period, ...found];
  });
  const subtotals = totals === 'all' && by ? [...Map.groupBy(shown, ({ key }) => key)] : [];
  const all = [
    ...rows,
    ...(totals === 'all' ? [[0, ...keyed(null), null, ...apart(shown)]] : []),
    ...subtotals.map(([key, of]) => [1, key, null, ...apart(of)]),
  ];
  return rounded(all.map((row) => (question.isDense ? [...row, 1] : row)));
}

function askedOf(
  measures: readonly string[],
  { grain, by, from, totals = 'none', isDense = false, field = 'v.day' }: Question,
): Asked {
  return {
    dimensions: [...(by ? [by.dimension] : []), `DATE_TRUNC('${grain}', [${field}])`],
    time: { position: by ? 1 : 0, fieldId: field, grain, isDense },
    measures,
    filters: from ? [`[${field}] >= DATE '${from}'`] : [],
    totals,
    timezone: 'Europe/Berlin',
  };
}

async function expectSame(schema: string, of: Shape, asked: Asked, wanted: Value[][]): Promise<void> {
  for (const dialect of ['duckdb', 'postgres'] as const) {
    const sql = sqlOf(schema, of, asked, dialect);
    expect(sorted(await engines[dialect](sql)), `${dialect}\n${sql}`).toEqual(sorted(wanted));
  }
}

const byShop = { dimension: '[v.shop]', read: ({ shop }: Visit) => [shop] };
const byKind = { dimension: '[k.key]', read: ({ kinds }: Visit): Value[] => (kinds.length > 0 ? kinds : [null]) };

const QUESTIONS: Question[] = [
  { grain: 'day' },
  { grain: 'day', from: '2026-01-10', by: byShop },
  { grain: 'week', from: '2025-12-31', totals: 'all' },
  { grain: 'month', by: byKind, totals: 'all' },
  { grain: 'month', by: byShop, isDense: true, from: '2025-12-15', field: 'v.at' },
  { grain: 'quarter', totals: 'all', by: byShop },
];

describe('TRAILING', () => {
  const counts =
    (grain: Grain, by: Grain, count: number): Counts =>
    (period, day) => {
      const end = add(grain, 1, period);
      return day < end && day >= add(by, -count, end);
    };
  const WINDOWS: [by: Grain, count: number][] = [
    ['day', 1],
    ['day', 28],
    ['week', 2],
    ['month', 1],
    ['month', 3],
    ['year', 1],
  ];
  const isWhole = (by: Grain, grain: Grain) =>
    by === grain || grain === 'day' || (by === 'year' && grain !== 'week') || (by === 'quarter' && grain === 'month');

  it.each(QUESTIONS)('of each aggregate is that of the rows in the window: $grain $from $totals', async (question) => {
    for (const [by, count] of WINDOWS.filter(([each]) => isWhole(each, question.grain))) {
      const measures = MEASURES.map(([text]) => `TRAILING(${text}, "${by}", ${count})`);
      const wanted = expected(VISITS, counts(question.grain, by, count), true, question);
      await expectSame('running', shape, askedOf(measures, question), wanted);
    }
  });

  it('reads rows before those of the filters, but none that the reader may not see', async () => {
    const question: Question = { grain: 'month', from: '2026-02-01', by: byShop };
    const measures = MEASURES.map(([text]) => `TRAILING(${text}, "month", 3)`);
    const wanted = expected(VISITS.filter(isVisible), counts('month', 'month', 3), true, question);
    await expectSame('running_rights', restricted, askedOf(measures, question), wanted);
  });

  it('needs a dimension of time whose periods make up the grain', () => {
    const problems = (asked: Asked) => planOf('running', shape, asked, 'duckdb');
    const measures = ['TRAILING(SUM([v.amount]), "month", 3)'];
    const message = 'TRAILING needs a time dimension. Add a date with a grain to the dimensions.';
    expect(problems({ dimensions: ['[v.shop]'], measures })).toEqual({ problems: [{ code: 5005, message }] });
    expect(problems(askedOf(measures, { grain: 'week' }))).toMatchObject({ problems: [{ code: 5005 }] });
  });

  it('has the rows of its window behind it', async () => {
    const group = [{ dimension: "DATE_TRUNC('month', [v.day])", value: "DATE '2026-02-01'" }];
    const time = { position: 0, fieldId: 'v.day', grain: 'month', isDense: false } as const;
    const asked = { columns: ['[v.key]'], measures: ['TRAILING(SUM([v.amount]), "month", 2)'], group, time };
    const filters = ["[v.day] BETWEEN DATE '2026-02-01' AND DATE '2026-02-20'"];
    const inside = VISITS.flatMap(({ day }, key) => (day && day >= '2026-01-01' && day <= '2026-02-20' ? [key] : []));
    for (const dialect of ['duckdb', 'postgres'] as const) {
      const rows = await engines[dialect](sqlIn(planOfRows('running', shape, { ...asked, filters }, dialect)));
      expect(rows.flat()).toEqual(inside);
    }
  });
});

describe('CUMULATIVE', () => {
  it.each(QUESTIONS)('of each aggregate is that of the rows to date: $grain $from $totals', async (question) => {
    for (const by of ['', 'year', 'month'] as const) {
      const measures = MEASURES.map(([text]) => `CUMULATIVE(${text}${by && `, "${by}"`})`);
      const counts: Counts = (period, day) => {
        const at = startOf(question.grain, day);
        return at <= period && (by === '' || startOf(by, at) === startOf(by, period));
      };
      const wanted = expected(VISITS, counts, false, question);
      await expectSame('running', shape, askedOf(measures, question), wanted);
    }
  });

  it('of distinct values counts none that the reader may not see', async () => {
    const question: Question = { grain: 'month', by: byShop, totals: 'all' };
    const wanted = expected(
      VISITS.filter(isVisible),
      (period, day) => startOf('month', day) <= period,
      false,
      question,
    );
    const measures = MEASURES.map(([text]) => `CUMULATIVE(${text})`);
    await expectSame('running_rights', restricted, askedOf(measures, question), wanted);
  });
});
