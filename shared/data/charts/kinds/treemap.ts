import { sumOfDecimals } from '../../../platform/text/sum-of-decimals.ts';
import { type ChartData, kindOf } from '../chart-columns.ts';
import type { ChartLook } from '../chart-look.ts';
import { textOn } from '../contrast.ts';
import { LABEL_SIZE } from '../name-axis.ts';
import { labelledBy, rowLabel } from '../row-label.ts';
import { showValue } from '../show-value.ts';
import { mixed, seriesColors, surfaceOf, type ThemeTokens } from '../theme.ts';
import { wrapText } from '../wrap-text.ts';
import {
  fitNumber,
  fitText,
  mark,
  nameIn,
  numberIn,
  type PictureOptions,
  picture,
  ramp,
  type Shown,
  shownAt,
  textAt,
} from './picture.ts';
import { type Box, squarify } from './squarify.ts';

/** More tiles could not be seen: the smallest share one. */
const MAX_TILES = 200;
/** What a tile has on average, in square pixels, at least: enough for the beginning of a name. */
const MIN_AREA = 2200;
const HEADING = 18;
const GAP = 1;
const PADDING = 5;

interface Tile {
  /** Undefined for the one that stands for many. */
  row: number | undefined;
  name: string;
  group: string | undefined;
  value: number;
  fill: string;
  label: string;
}

/** Areas in proportion to numbers, those of a group together. */
export function drawTreemap(look: ChartLook, data: ChartData, options: PictureOptions): string {
  const [names, sizes] = [shownAt('text', look.encoding, data), shownAt('size', look.encoding, data)];
  if (!names || !sizes) return picture(options);
  const { width, height, theme } = options;
  const whole = { x: 0, y: 0, width, height };
  const most = Math.max(4, Math.min(MAX_TILES, Math.floor((width * height) / MIN_AREA)));
  const groups = groupsOf(tilesOf(look, data, { names, sizes, theme, most }));
  if (groups.length === 1) return picture(options, ...drawTiles(groups[0]!.tiles, whole, sizes, theme));
  const boxes = squarify(
    groups.map(({ value }) => value),
    whole,
  );
  const drawn = groups.flatMap(({ name, tiles }, index) => {
    const box = boxes[index]!;
    const heading =
      box.height >= 2.2 * HEADING ? fitText(name, box.width - 2 * GAP - PADDING, LABEL_SIZE, bold(theme)) : '';
    const top = heading === '' ? 0 : HEADING;
    const inner = { ...box, y: box.y + top, height: box.height - top };
    return [
      heading === ''
        ? ''
        : textAt(box.x + GAP + 2, box.y + HEADING - 5, heading, { fill: surfaceOf(theme).text, isBold: true }),
      ...drawTiles(tiles, inner, sizes, theme),
    ];
  });
  return picture(options, ...drawn);
}

const bold = ({ fonts }: ThemeTokens) => ({ isMono: fonts.body === 'mono', isBold: true });

function tilesOf(
  look: ChartLook,
  data: ChartData,
  { names, sizes, theme, most }: { names: Shown; sizes: Shown; theme: ThemeTokens; most: number },
): Tile[] {
  const colors = shownAt('color', look.encoding, data);
  const isRamp = colors !== undefined && kindOf(colors.column) === 'number';
  const groups = colors && !isRamp ? colors : undefined;
  const labelled = labelledBy('treemap', look.encoding ?? {});
  const largest = data.rows
    .map((cells, row) => ({ cells, row, value: numberIn(sizes, cells) ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);
  const kept = largest.length > most ? largest.slice(0, most - 1) : largest;
  const fillOf = fillsOf(
    kept.map(({ cells }) => cells),
    { look, theme, groups, shades: isRamp ? colors : sizes },
  );
  const groupOf = (cells: readonly unknown[]) => groups && nameIn(groups, cells);
  const rest = Map.groupBy(largest.slice(kept.length), ({ cells }) => groupOf(cells));
  const { muted, background } = surfaceOf(theme);
  return [
    ...kept.map(({ cells, row, value }) => ({
      ...{ row, value, name: nameIn(names, cells), group: groupOf(cells) },
      ...{ fill: fillOf(cells), label: rowLabel(labelled, data.columns, cells) },
    })),
    ...[...rest].map(([group, members]) => {
      const [name, value] = [`Other (${members.length})`, sumOf(members)];
      const label = `${name}; ${sizes.title}: ${showValue(sizes.column, String(value), sizes.format)}`;
      return { row: undefined, name, group, value, label, fill: mixed(background, muted, 0.35) };
    }),
  ];
}

const sumOf = (members: readonly { value: number }[]): number => sumOfDecimals(members.map(({ value }) => value));

/** Groups have a color each; without groups, larger numbers are darker. */
function fillsOf(
  rows: readonly (readonly unknown[])[],
  { look, theme, groups, shades }: { look: ChartLook; theme: ThemeTokens; groups: Shown | undefined; shades: Shown },
): (row: readonly unknown[]) => string {
  if (groups) {
    const known = [...new Set(rows.map((row) => nameIn(groups, row)))];
    const colors = seriesColors(theme);
    return (row) => colors[known.indexOf(nameIn(groups, row)) % colors.length]!;
  }
  const values = rows.flatMap((row) => numberIn(shades, row) ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const main = look.mark.color ?? theme.palette[0]!;
  const shade = ramp(mixed(surfaceOf(theme).background, main, 0.35), main);
  return (row) => shade(high === low ? 1 : ((numberIn(shades, row) ?? low) - low) / (high - low));
}

/** The largest group first. */
function groupsOf(tiles: readonly Tile[]) {
  return [...Map.groupBy(tiles, ({ group }) => group)]
    .map(([name, members]) => ({
      ...{ name: name ?? '', tiles: members },
      value: sumOf(members),
    }))
    .sort((one, other) => other.value - one.value);
}

function drawTiles(tiles: readonly Tile[], whole: Box, sizes: Shown, theme: ThemeTokens): string[] {
  const boxes = squarify(
    tiles.map(({ value }) => value),
    whole,
  );
  return tiles.flatMap((tile, index) => {
    const box = boxes[index]!;
    const [width, height] = [Math.max(0.5, box.width - 2 * GAP), Math.max(0.5, box.height - 2 * GAP)];
    const place = { x: box.x + GAP, y: box.y + GAP, width, height };
    const corner = theme.radius > 0 && Math.min(width, height) > 12 ? 3 : undefined;
    return [
      mark('rect', 'tile', tile.label, tile.row, { ...place, rx: corner, fill: tile.fill }),
      ...textsOf(tile, place, sizes, theme),
    ];
  });
}

/** The name in one line or two, and the number below it, as there is room. */
function textsOf(
  { name, value, fill }: Tile,
  { x, y, width, height }: Box,
  sizes: Shown,
  theme: ThemeTokens,
): string[] {
  const [room, line] = [width - 2 * PADDING, LABEL_SIZE + 4];
  const lines = Math.floor((height - 4) / line);
  const wrapped = lines >= 2 ? wrapText(name, room / 1.1, LABEL_SIZE) : undefined;
  const names = wrapped && wrapped.length <= 2 ? wrapped : [fitText(name, room, LABEL_SIZE, bold(theme))];
  if (lines < 1 || names[0] === '') return [];
  const number = lines > names.length ? fitNumber(sizes, value, room, LABEL_SIZE, { isMono: bold(theme).isMono }) : '';
  const color = textOn(fill);
  return [
    ...names.map((each, index) => textAt(x + PADDING, y + (index + 1) * line, each, { fill: color, isBold: true })),
    ...(number === '' ? [] : [textAt(x + PADDING, y + (names.length + 1) * line, number, { fill: color })]),
  ];
}
