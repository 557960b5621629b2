import { isMet, type Row } from './result.ts';
import type { Spread } from './spread.ts';
import {
  type Consumption,
  type Cost,
  costPerMillion,
  type Prices,
  type Quantities,
  WORK,
  type Work,
} from './unit-costs.ts';

/** Rows of text; the first are the headings. Shown as they are in the terminal and in the document. */
export type Table = string[][];

/** The figures of one measurement; columns that no row has are left out. */
export function figureTable(rows: readonly Row[]): Table {
  const table: Table = [['', 'Measured', 'Reference', 'Ratio', 'Goal', '']];
  for (const row of rows) {
    table.push([
      row.what,
      figure(row.measured, row.unit),
      row.reference ? figure(row.reference, row.unit) : '',
      row.ratio ? figure(row.ratio, '×') : '',
      row.goal ? `≤ ${row.goal.atMost}${row.goal.of === 'ratio' ? ' ×' : ` ${row.unit}`}` : '',
      verdict(isMet(row)),
    ]);
  }
  const used = table[0]!.map((_, column) => column === 0 || table.slice(1).some((line) => line[column] !== ''));
  return table.map((line) => line.filter((_, column) => used[column]));
}

const verdict = (met: boolean | undefined) => (met === undefined ? '' : met ? 'met' : '**missed**');

function figure({ median, min, max }: Spread, unit: string): string {
  const once = min === max;
  return `${number(median)} ${unit}${once ? '' : ` (${number(min)}–${number(max)})`}`;
}

/** Three digits that mean something. */
export function number(value: number): string {
  const digits = value === 0 || value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 5;
  return value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: Math.min(digits, 2) });
}

const CONSUMED = {
  readUnits: 'Read units',
  writeUnits: 'Write units',
  stateTransitions: 'Transitions',
  lambdaInvocations: 'Invocations',
  lambdaGbSeconds: 'GB-seconds',
  logBytes: 'Log bytes',
  s3Puts: 'S3 puts',
  sqsRequests: 'SQS requests',
} satisfies Partial<Record<keyof Consumption, string>>;

/** What one piece of each work consumes. */
export function consumptionTable(quantities: Partial<Quantities>): Table {
  const names = Object.keys(CONSUMED) as (keyof typeof CONSUMED)[];
  return [
    ['One', ...Object.values(CONSUMED)],
    ...works(quantities).map(([work, consumed]) => [WORK[work], ...names.map((name) => number(consumed[name]))]),
  ];
}

const LINES = {
  apiGateway: 'API Gateway',
  lambda: 'Lambda',
  dynamodb: 'DynamoDB',
  stepFunctions: 'Step Functions',
  s3: 'S3',
  sqs: 'SQS',
  logsAndTraces: 'Logs, traces',
  total: '**Total**',
} satisfies Record<keyof Cost, string>;

/** What a million of each cost on AWS. */
export function costTable(quantities: Partial<Quantities>, prices: Prices): Table {
  const names = Object.keys(LINES) as (keyof Cost)[];
  return [
    ['A million', ...Object.values(LINES)],
    ...works(quantities).map(([work, consumed]) => {
      const cost = costPerMillion(consumed, prices);
      return [WORK[work], ...names.map((name) => dollars(cost[name]))];
    }),
  ];
}

const works = (quantities: Partial<Quantities>) => Object.entries(quantities) as [Work, Consumption][];

const dollars = (value: number) =>
  `$${value.toLocaleString('en', { minimumFractionDigits: value < 100 ? 2 : 0, maximumFractionDigits: value < 100 ? 2 : 0 })}`;
