import type { TopLevelSpec } from 'vega-lite';
import { sumOfDecimals } from '../../../platform/text/sum-of-decimals.ts';
import { type ChartColumn, type ChartData, numberValue } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { showValue } from '../show-value.ts';
import { textWidth } from '../text-width.ts';
import { surfaceOf } from '../theme.ts';
import { vegaLiteSpec } from '../vega-lite-spec.ts';
import { fitNumber, nameIn, type PictureOptions, type Shown, shownAt } from './picture.ts';

type Json = Record<string, unknown>;

const RISE = 'Rise';
const FALL = 'Fall';
const TOTAL = 'Total';
/** Columns of the bars, which no column of a query can be called. */
const OWN = [
  '\u0000end',
  '\u0000start',
  '\u0000top',
  '\u0000tone',
  '\u0000text',
  '\u0000fitted',
  '\u0000next',
] as const;
const [END, START, TOP, TONE, TEXT, FITTED, NEXT] = OWN;
const NUMBERS: ReadonlySet<string> = new Set([END, START, TOP]);
/** What the vertical axis of numbers takes, about. */
const AXIS = 60;

interface Bar {
  name: string;
  change: unknown;
  start: number;
  end: number;
  tone: string;
  row: number | null;
}

/** Why the rows are no bars beside each other. */
export function findRepeated({ mark, encoding }: ChartLook, data: ChartData): string | undefined {
  const names = shownAt('x', encoding, data);
  if (!names) return undefined;
  const shown = [...data.rows.map((row) => nameIn(names, row)), ...(mark.total === null ? [] : [mark.total ?? TOTAL])];
  const isRepeated = new Set(shown).size < shown.length;
  return isRepeated ? 'A waterfall needs a name of its own for each row and for the total' : undefined;
}

/** Bars that each begin where the one before ends, and a last one from 0 to where they lead. */
export function waterfallSpec(look: ChartLook, data: ChartData, options: PictureOptions): TopLevelSpec {
  const { x, y, tooltip } = look.encoding ?? {};
  const [names, changes] = [shownAt('x', look.encoding, data), shownAt('y', look.encoding, data)];
  if (!x || !y || !names || !changes) return vegaLiteSpec(look, data, options);
  const bars = barsOf(look, data, names, changes);
  const step = (options.width - AXIS) / bars.length;
  const columns = [
    ...data.columns.with(names.at, { ...names.column, type: 'string', grain: undefined }),
    ...ownColumns(changes),
  ];
  const { good, bad } = surfaceOf(options.theme);
  const [rise, fall] = look.mark.direction === 'down_good' ? [bad, good] : [good, bad];
  const total = look.mark.color ?? options.theme.palette[0]!;
  const spec = vegaLiteSpec(
    {
      mark: { type: 'bar', ...(look.mark.opacity !== undefined && { opacity: look.mark.opacity }) },
      encoding: {
        x: { ...x, format: undefined, sort: undefined },
        y: { ...y, field: END, title: y.title ?? changes.title, stack: null, scale: { ...y.scale, zero: true } },
        color: { field: TONE, scale: { domain: [RISE, FALL, TOTAL], range: [rise, fall, total] }, legend: null },
        tooltip: tooltip ?? [
          { field: names.column.name, title: names.title },
          { field: changes.column.name, title: changes.title, ...(y.format !== undefined && { format: y.format }) },
          { field: END, title: 'Sum', ...(y.format !== undefined && { format: y.format }) },
        ],
      },
      config: { ...look.config, showLabels: look.config?.showLabels ?? true },
    } as ChartLook,
    {
      columns,
      rows: bars.map((bar, index) => cellsOf(bar, bars[index + 1], { data, names, changes, step })),
      places: bars.map(({ row }) => row),
    },
    options,
  );
  return withRanges(spec, columns);
}

const ownColumns = ({ column }: Shown): ChartColumn[] =>
  OWN.map((name) =>
    NUMBERS.has(name) ? { ...column, name, role: 'measure' } : { name, role: 'dimension', type: 'string' },
  );

function barsOf({ mark }: ChartLook, { rows }: ChartData, names: Shown, changes: Shown): Bar[] {
  let sum = 0;
  const bars = rows.map((cells, row): Bar => {
    const change = numberValue(cells[changes.at]) ?? 0;
    const start = sum;
    sum = sumOfDecimals([sum, change]);
    return {
      name: nameIn(names, cells),
      change: cells[changes.at],
      start,
      end: sum,
      tone: change < 0 ? FALL : RISE,
      row,
    };
  });
  const { total = TOTAL } = mark;
  return total === null
    ? bars
    : [...bars, { name: total, change: exact(sum), start: 0, end: sum, tone: TOTAL, row: null }];
}

/** As exact decimals are, whose digits are all shown. */
const exact = (sum: number): string => String(sum);

function cellsOf(
  bar: Bar,
  next: Bar | undefined,
  { data, names, changes, step }: { data: ChartData; names: Shown; changes: Shown; step: number },
): unknown[] {
  const cells = bar.row === null ? data.columns.map(() => null) : [...data.rows[bar.row]!];
  const sign = bar.tone === RISE && (numberValue(bar.change) ?? 0) > 0 ? '+' : '';
  const text = signed(sign, showValue(changes.column, bar.change, changes.format));
  // Labels above bars that are wider than those would cover the next ones.
  const fitted = signed(sign, fitNumber(changes, bar.change, step - textWidth(sign, LABEL_SIZE) - 2, LABEL_SIZE));
  return [
    ...cells.with(names.at, bar.name).with(changes.at, bar.change),
    ...[exact(bar.end), bar.start, Math.max(bar.start, bar.end), bar.tone, text, fitted, next?.name ?? bar.name],
  ];
}

const signed = (sign: string, text: string): string => (text === '' || text.startsWith('+') ? text : `${sign}${text}`);

/** Vega-Lite's bars end at a column; here they begin at another one, and their labels name the change. */
function withRanges(spec: TopLevelSpec, columns: readonly ChartColumn[]): TopLevelSpec {
  const fieldOf = (name: string) => `c${columns.findIndex((column) => column.name === name)}`;
  const whole = spec as unknown as Json & { layer?: Json[] };
  const views = whole.layer ?? [{ mark: whole.mark, encoding: whole.encoding }];
  const channel = ((views[0]!.encoding as Json).y as Json).field === fieldOf(END) ? 'y' : 'x';
  const other = channel === 'y' ? 'x' : 'y';
  const layer = views.flatMap((view) => {
    const { type } = view.mark as Json;
    const encoding = view.encoding as Json;
    if (type === 'text') return [labelView(view, encoding)];
    if (type !== 'bar') return [view];
    return [{ ...view, encoding: { ...encoding, [`${channel}2`]: { field: fieldOf(START) } } }, connector(encoding)];
  });
  const { mark: _mark, encoding: _encoding, ...rest } = whole;
  return { ...rest, layer } as unknown as TopLevelSpec;

  function labelView(view: Json, encoding: Json): Json {
    const place = { ...(encoding[channel] as Json), field: fieldOf(TOP) };
    const text = { ...(encoding.text as Json), field: fieldOf(channel === 'y' ? FITTED : TEXT) };
    // The bars have the names of the rows.
    return { mark: { ...(view.mark as Json), aria: false }, encoding: { ...encoding, [channel]: place, text } };
  }

  /** A thin line from the end of a bar to the next one. */
  function connector(encoding: Json): Json {
    return {
      mark: { type: 'rule', aria: false, strokeWidth: 1, opacity: 0.6 },
      encoding: {
        [channel]: encoding[channel],
        [other]: { ...(encoding[other] as Json), bandPosition: 1 },
        [`${other}2`]: { field: fieldOf(NEXT), bandPosition: 0 },
      },
    };
  }
}
