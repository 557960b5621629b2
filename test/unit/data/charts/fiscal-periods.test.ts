import { expect, it } from 'vitest';
import type { ChartColumn } from '../../../../shared/data/charts/chart-columns.ts';
import { periodLabel } from '../../../../shared/data/charts/period-label.ts';
import { timeTicks } from '../../../../shared/data/charts/time-ticks.ts';
import {
  addUnits,
  startOfUnit,
  type TimeGrain,
  timeUnit,
} from '../../../../shared/platform/schedule/fiscal-calendar.ts';
import { CALENDARS } from '../../support/fiscal-years.ts';

const local = (day: string) => Date.parse(`${day}T00:00:00Z`);

it.each([
  ['april', 'fiscal_year', '2026-04-01', 'FY2027'],
  ['april', 'fiscal_quarter', '2026-01-01', 'FY2026 Q4'],
  ['april', 'fiscal_period', '2026-06-01', 'FY2027 P03'],
  ['april', 'fiscal_week', '2026-06-01', '2026-06-01'],
  ['october', 'fiscal_year', '2026-10-01', 'FY2026'],
  ['january', 'fiscal_year', '2026-01-01', 'FY2026'],
  ['retail', 'fiscal_period', '2023-12-31', 'FY2023 P12'],
  ['retail', 'fiscal_week', '2024-01-28', 'FY2023 W53'],
  ['lastSaturday', 'fiscal_quarter', '2026-07-26', 'FY2027 Q1'],
  ['iso', 'fiscal_week', '2025-12-29', 'FY2026 W01'],
] as const)('in the calendar %s, the %s of %s is %s', (name, grain, day, label) => {
  const column: ChartColumn = { name: 'Day', role: 'dimension', type: 'date', grain, calendar: CALENDARS[name] };
  expect(periodLabel(column, local(day))).toBe(label);
});

/** The labels of an axis of so many periods. */
function labels(grain: TimeGrain, count: number, length: number, isInPlaces = false): string[] {
  const calendar = CALENDARS.retail;
  const unit = timeUnit(grain, calendar);
  const first = startOfUnit(unit, local('2023-06-01'));
  const times = Array.from({ length: count }, (_, index) => addUnits(unit, first, index));
  const ticks = timeTicks(times, grain, { length, isInPlaces, calendar });
  return [...ticks!].map(([moment, lines]) => `${new Date(moment).toISOString().slice(0, 10)} ${lines.join(' ')}`);
}

it('axes name fiscal periods where they begin, with the year below, as many as have room', () => {
  expect(labels('fiscal_quarter', 5, 600)).toEqual([
    '2023-04-30 Q2 FY2023',
    '2023-07-30 Q3',
    '2023-10-29 Q4',
    '2024-02-04 Q1 FY2024',
    '2024-05-05 Q2',
  ]);
  expect(labels('fiscal_period', 12, 200)).toEqual([
    '2023-07-30 P07 FY2023',
    '2023-10-29 P10',
    '2024-02-04 P01 FY2024',
    '2024-05-05 P04',
  ]);
  expect(labels('fiscal_period', 36, 170, true)).toEqual([
    '2024-02-04 FY2024',
    '2025-02-02 FY2025',
    '2026-02-01 FY2026',
  ]);
  expect(labels('fiscal_year', 4, 600)).toEqual([
    '2023-01-29 FY2023',
    '2024-02-04 FY2024',
    '2025-02-02 FY2025',
    '2026-02-01 FY2026',
  ]);
});
