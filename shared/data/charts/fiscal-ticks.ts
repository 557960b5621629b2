import { addUnits, startOfUnit, timeUnit } from '../../platform/schedule/fiscal-calendar.ts';
import { type FiscalCalendar, type FiscalGrain, fiscalPlace } from '../../platform/schedule/fiscal-years.ts';
import { periodLabel } from './period-label.ts';

const COUNTS: Record<FiscalGrain, readonly number[]> = {
  fiscal_week: [1, 2, 4, 13],
  fiscal_period: [1, 3, 6],
  fiscal_quarter: [1, 2],
  fiscal_year: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
};
/** A label for each of more periods would have no room anywhere. */
const MAX_PERIODS = 1000;

/** The labels of an axis of fiscal periods, beginning with the most, with the year below where it changes. */
export function fiscalTexts(
  grain: FiscalGrain,
  calendar: FiscalCalendar | undefined,
  [first, last]: readonly [number, number],
): Map<number, string[]>[] {
  const ofYears = (count: number) => {
    const years = placesOf('fiscal_year', calendar, first, last).filter(({ year }) => year % count === 0);
    return new Map(years.map(({ moment, year }) => [moment, [`FY${year}`]]));
  };
  const ofParts = (count: number) => {
    const shown = placesOf(grain, calendar, first, last).filter(({ number }) => (number - 1) % count === 0);
    return new Map(
      shown.map(({ moment, year }, index) => {
        const name = periodLabel({ name: '', role: 'dimension', type: 'date', grain, calendar }, moment);
        const isNew = shown[index - 1]?.year !== year;
        return [moment, [name.replace(`FY${year} `, ''), ...(isNew ? [`FY${year}`] : [])]];
      }),
    );
  };
  const parts = grain === 'fiscal_year' ? [] : COUNTS[grain].map(ofParts);
  return [...parts, ...COUNTS.fiscal_year.map(ofYears)].filter(({ size }) => size > 0);
}

function placesOf(grain: FiscalGrain, calendar: FiscalCalendar | undefined, first: number, last: number) {
  const unit = timeUnit(grain, calendar);
  const places: { moment: number; year: number; number: number }[] = [];
  let moment = startOfUnit(unit, first);
  if (moment < first) moment = addUnits(unit, moment, 1);
  for (; moment <= last; moment = addUnits(unit, moment, 1)) {
    if (places.length === MAX_PERIODS) return [];
    places.push({ moment, ...fiscalPlace(grain, calendar, moment) });
  }
  return places;
}
