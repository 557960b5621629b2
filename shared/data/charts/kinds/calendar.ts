import { type ChartData, timeValue } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { textOn } from '../contrast.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { labelledBy, rowLabel } from '../row-label.ts';
import { element } from '../svg.ts';
import { textWidth } from '../text-width.ts';
import { mixed, surfaceOf } from '../theme.ts';
import { mark, numberIn, type PictureOptions, picture, type Shown, shortNumber, shownAt, textAt } from './picture.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** Smaller cells cannot be told apart. */
const MIN_CELL = 6;
const MAX_CELL = 40;
const LINE = LABEL_SIZE + 5;
/** The weeks that a year touches. */
const WEEKS_OF_YEAR = 54;
const MAX_ROWS = 4;
/** Between two blocks. */
const BETWEEN = 8;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Mon', '', 'Wed', '', 'Fri', '', ''];
const SWATCHES = 5;

interface Day {
  moment: number;
  value: number | null;
  row: number;
}

/** Days below each other in weeks, in blocks of a year. */
interface Block {
  title: string;
  /** The Monday of its first week. */
  start: number;
  weeks: number;
  first: number;
  last: number;
}

/** Why the rows are no days. */
export function findNoDays({ encoding }: ChartLook, data: ChartData): string | undefined {
  const days = shownAt('x', encoding, data);
  const moments = data.rows.flatMap((row) => (days && timeValue(row[days.at])) ?? []).map(dayOf);
  return new Set(moments).size < moments.length ? 'A calendar needs one row for each day' : undefined;
}

/** A cell for each day, in the color of its number. */
export function drawCalendar(look: ChartLook, data: ChartData, options: PictureOptions): string {
  const [dates, numbers] = [shownAt('x', look.encoding, data), shownAt('color', look.encoding, data)];
  if (!dates || !numbers) return picture(options);
  const days = daysOf(data, dates, numbers);
  const { width, height, theme } = options;
  const { text, muted, raised } = surfaceOf(theme);
  const values = days.flatMap(({ value }) => value ?? []);
  const colorOf = colorsOf(look, options, values);
  const { blocks, cell, left, isWhole } = layout(days, { width, height: height - LINE - 6 });
  const labelled = labelledBy('calendar', look.encoding ?? {});
  const byDay = new Map(days.map((day) => [day.moment, day]));
  const gap = cell >= 10 ? 2 : 1;
  const radius = theme.radius > 0 && cell >= 10 ? 2 : undefined;
  const blockHeight = LINE + 7 * cell + (blocks.length > 1 ? BETWEEN : 0);
  const drawn = blocks.flatMap((block, index) => {
    const top = index * blockHeight + LINE;
    const cells: string[] = [];
    for (let moment = block.first; moment <= block.last; moment += DAY) {
      const week = Math.floor((moment - block.start) / WEEK);
      const place = { x: left + week * cell, y: top + weekdayOf(moment) * cell, width: cell - gap, height: cell - gap };
      const day = byDay.get(moment);
      const isEmpty = day?.value === undefined || day.value === null;
      const fill = isEmpty ? raised : colorOf(day.value!);
      const shape = { ...place, rx: radius, fill };
      cells.push(
        day
          ? mark('rect', 'day', rowLabel(labelled, data.columns, data.rows[day.row]!), day.row, shape)
          : element('rect', shape),
      );
      if (cell >= 24)
        cells.push(
          textAt(place.x + place.width / 2, place.y + place.height / 2 + LABEL_SIZE * 0.36, dateOf(moment), {
            fill: isEmpty ? muted : textOn(fill),
            anchor: 'middle',
          }),
        );
    }
    const weekdays = WEEKDAYS.map((name, weekday) =>
      name && cell >= 9 && block.weeks > 0
        ? textAt(left - 6, top + (weekday + 0.5) * cell + 3, name, { fill: muted, anchor: 'end' })
        : '',
    );
    const title = block.title && textAt(0, top - 6, block.title, { fill: text, isBold: true });
    return [
      title,
      ...monthsOf(block, { left, top, cell, width }).map(([x, name]) => textAt(x, top - 6, name, { fill: muted })),
      ...weekdays,
      ...cells,
    ];
  });
  const bottom = Math.min(height - 4, blocks.length * blockHeight + LINE + 2);
  return picture(options, ...drawn, ...legend(values, numbers, { ...options, colorOf, bottom, isWhole }));
}

const dayOf = (moment: number): number => Math.floor(moment / DAY) * DAY;
/** Monday is 0. */
const weekdayOf = (moment: number): number => (new Date(moment).getUTCDay() + 6) % 7;
const mondayOf = (moment: number): number => moment - weekdayOf(moment) * DAY;
const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();
const dateOf = (moment: number): string => String(new Date(moment).getUTCDate());

const daysOf = ({ rows }: ChartData, dates: Shown, numbers: Shown): Day[] =>
  rows
    .flatMap((cells, row): Day[] => {
      const moment = timeValue(cells[dates.at]);
      return moment === null ? [] : [{ moment: dayOf(moment), value: numberIn(numbers, cells), row }];
    })
    .sort((one, other) => one.moment - other.moment);

interface Layout {
  blocks: Block[];
  cell: number;
  left: number;
  /** Whether all days have room. */
  isWhole: boolean;
}

/**
 * Up to a year in as many rows of weeks as make its days largest, otherwise a row for each year; the latest days where
 * there is no room for all.
 */
function layout(days: readonly Day[], { width, height }: { width: number; height: number }): Layout {
  const [first, last] = [days[0]!.moment, days.at(-1)!.moment];
  const left = Math.ceil(textWidth('0000', LABEL_SIZE, { isBold: true })) + 6;
  const weeks = weeksBetween(first, last);
  const byYears = weeks > WEEKS_OF_YEAR ? inYears([first, last], { width, height, left }) : undefined;
  const found = byYears ?? inRows([first, last], { width, height, left });
  if (found) return found;
  const cell = MIN_CELL;
  const room = Math.max(1, Math.floor((width - left) / cell));
  const from = Math.max(first, mondayOf(last) - (room - 1) * WEEK);
  return { blocks: [blockOf('', from, last)], cell, left, isWhole: from <= first };
}

interface Room {
  width: number;
  height: number;
  left: number;
}

function inYears([first, last]: readonly [number, number], room: Room): Layout | undefined {
  const years = Array.from({ length: yearOf(last) - yearOf(first) + 1 }, (_, index) => yearOf(first) + index);
  for (let count = years.length; count > 0; count -= 1) {
    const cell = cellFor(count, WEEKS_OF_YEAR, room);
    if (cell < MIN_CELL) continue;
    const blocks = years.slice(-count).map((year) => {
      const [begin, end] = [Date.UTC(year, 0, 1), Date.UTC(year, 11, 31)];
      return blockOf(String(year), Math.max(first, begin), Math.min(last, end), begin);
    });
    return { blocks, cell, left: room.left, isWhole: count === years.length };
  }
  return undefined;
}

/** The latest weeks that have room, at most a year of them. */
function inRows([first, last]: readonly [number, number], room: Room): Layout | undefined {
  const whole = Math.min(WEEKS_OF_YEAR, weeksBetween(first, last));
  for (let weeks = whole; weeks > 0; weeks -= 1) {
    const rows = Array.from({ length: MAX_ROWS }, (_, index) => index + 1);
    const cells = rows.map((count) => cellFor(count, Math.ceil(weeks / count), room));
    const cell = Math.max(...cells);
    if (cell < MIN_CELL) continue;
    const long = Math.ceil(weeks / rows[cells.indexOf(cell)]!);
    const from = Math.max(first, mondayOf(last) - (weeks - 1) * WEEK);
    const blocks: Block[] = [];
    for (let start = from; start <= last; start = mondayOf(start) + long * WEEK)
      blocks.push(blockOf('', start, Math.min(last, mondayOf(start) + long * WEEK - DAY)));
    return { blocks, cell, left: room.left, isWhole: from <= first };
  }
  return undefined;
}

const cellFor = (blocks: number, weeks: number, { width, height, left }: Room): number => {
  const byHeight = (height / blocks - LINE - (blocks > 1 ? BETWEEN : 0)) / 7;
  return Math.floor(Math.min(MAX_CELL, (width - left) / weeks, byHeight) * 2) / 2;
};

const weeksBetween = (first: number, last: number): number => (mondayOf(last) - mondayOf(first)) / WEEK + 1;

/** The columns of a year begin with its first week, so that years stand below each other. */
function blockOf(title: string, first: number, last: number, begin = first): Block {
  const start = mondayOf(begin);
  return { title, start, weeks: weeksBetween(start, last), first, last };
}

/** The names of months above the week with their first day, where they have room. */
function monthsOf(
  { first, last, start, title }: Block,
  { left, cell, width }: { left: number; top: number; cell: number; width: number },
): [number, string][] {
  const found: [number, string][] = [];
  let free = title === '' ? 0 : textWidth(title, LABEL_SIZE, { isBold: true }) + 6;
  for (let moment = first; moment <= last; moment += DAY) {
    if (moment !== first && new Date(moment).getUTCDate() !== 1) continue;
    const isNamed = title === '' && (found.length === 0 || new Date(moment).getUTCMonth() === 0);
    const year = isNamed ? ` ${yearOf(moment)}` : '';
    const name = `${MONTHS[new Date(moment).getUTCMonth()]}${year}`;
    const x = left + Math.floor((moment - start) / WEEK) * cell;
    const end = x + textWidth(name, LABEL_SIZE);
    // The month in whose last days the calendar begins gives its place to the next one.
    const isLast = moment === first && new Date(moment).getUTCDate() > 21 && last - moment > 14 * DAY;
    if (x < free || end > width || isLast) continue;
    found.push([x, name]);
    free = end + 6;
  }
  return found;
}

/** From light to the color of the theme; numbers below 0 have another hue. */
function colorsOf({ mark: { color } }: ChartLook, { theme }: PictureOptions, values: readonly number[]) {
  const { background, bad } = surfaceOf(theme);
  const main = color ?? theme.palette[0]!;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const isDiverging = low < 0;
  const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
  const least = theme.dark ? 0.22 : 0.14;
  return (value: number): string => {
    if (isDiverging) return mixed(background, value < 0 ? bad : main, least + (1 - least) * (Math.abs(value) / most));
    const share = high === low ? 1 : (value - low) / (high - low);
    return mixed(background, main, least + (1 - least) * share);
  };
}

/** The least and the largest number with the colors between them, and whether days are left out. */
function legend(
  values: readonly number[],
  numbers: Shown,
  {
    width,
    height,
    theme,
    colorOf,
    bottom,
    isWhole,
  }: PictureOptions & { colorOf: (value: number) => string; bottom: number; isWhole: boolean },
): string[] {
  const { muted } = surfaceOf(theme);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [from, to] = [low, high].map((value) => shortNumber(numbers, value));
  const swatches =
    low === high ? [high] : Array.from({ length: SWATCHES }, (_, at) => low + ((high - low) * at) / (SWATCHES - 1));
  const size = 10;
  let x = 0;
  const parts: string[] = [];
  const write = (content: string) => {
    parts.push(textAt(x, bottom, content, { fill: muted }));
    x += textWidth(content, LABEL_SIZE) + 6;
  };
  if (low !== high) write(from!);
  for (const value of swatches) {
    parts.push(element('rect', { x, y: bottom - size + 1, width: size, height: size, rx: 2, fill: colorOf(value) }));
    x += size + 2;
  }
  x += 4;
  write(to!);
  const note = 'Earlier days are not shown';
  const hasRoom = x + 12 + textWidth(note, LABEL_SIZE) <= width;
  if (!isWhole && hasRoom) parts.push(textAt(width, bottom, note, { fill: muted, anchor: 'end' }));
  else if (!isWhole && bottom + LINE <= height) parts.push(textAt(0, bottom + LINE, note, { fill: muted }));
  return parts;
}
