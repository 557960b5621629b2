import { labelTexts } from './label-texts.ts';
import { textWidth } from './text-width.ts';
import { wrapText } from './wrap-text.ts';

/** The size of the labels of axes and legends. */
export const LABEL_SIZE = 11;
const LINE = LABEL_SIZE + 2;
/** Between two labels. */
const GAP = 6;
/** A label across its axis needs as much room as it is high. */
const MIN_STEP = LINE;
/** Slanted ones stand closer to each other than they are apart on the axis. */
const MIN_SLANTED_STEP = LINE / Math.SQRT1_2 - 2;
const MAX_LINES = 3;
const SLANT = Math.SQRT1_2;

interface Room {
  /** Of the axis, in pixels. */
  length: number;
  /** Of the whole chart across the axis. */
  across: number;
  /** Left of the axis, at least: the first slanted name ends there. */
  before?: number;
}

type Labels = Record<string, unknown>;

const longestOf = (names: readonly string[]): number =>
  names.reduce((longest, name) => Math.max(longest, textWidth(name, LABEL_SIZE)), 0);

/**
 * How names are written along the axis: beside each other, in several lines, or slanted. Only where they are too many
 * for that, some are left out, as regularly as possible.
 */
export function nameLabels(axis: 'x' | 'y', names: readonly string[], room: Room): Labels {
  return axis === 'x' ? namesBelow(names, room) : namesBeside(names, room);
}

/** Whether names below the axis would have to be cut or left out, and have room beside a vertical axis. */
export function isBetterBeside(names: readonly string[], { length, across }: Room): boolean {
  const step = length / names.length;
  if (across / names.length < MIN_STEP + 2 || fitsBelow(names, step, across)) return false;
  return step < MIN_STEP || longestOf(names) > slantedLimit(across);
}

const slantedLimit = (across: number): number => (across * 0.35) / SLANT;

const fitsBelow = (names: readonly string[], step: number, across: number): boolean =>
  longestOf(names) + GAP <= step || wrapped(names, step - GAP, across) !== undefined;

function namesBelow(names: readonly string[], { length, across, before = across }: Room): Labels {
  const step = length / names.length;
  const longest = longestOf(names);
  if (longest + GAP <= step) return { labelOverlap: false, labelLimit: 0, labelAngle: 0 };
  const lines = wrapped(names, step - GAP, across);
  if (lines) return { ...labelTexts(lines), labelOverlap: false, labelLimit: 0, labelAngle: 0 };
  const limit = Math.max(24, Math.min(slantedLimit(across), (before + step / 2) / SLANT));
  const slanted = { labelOverlap: false, labelAngle: -45, labelLimit: limit, labelAlign: 'right' };
  if (step >= MIN_SLANTED_STEP) return slanted;
  const shown = every(names, MIN_SLANTED_STEP / step);
  const straight = every(names, (longest + GAP) / step);
  return straight.length * 2 > shown.length
    ? { labelOverlap: false, labelLimit: 0, labelAngle: 0, values: straight }
    : { ...slanted, values: shown };
}

/** Names beside a vertical axis take at most this share of the width. */
const BESIDE = 0.35;
export const besideLimit = (width: number): number => Math.max(36, width * BESIDE);

function namesBeside(names: readonly string[], { length, across }: Room): Labels {
  const step = length / names.length;
  const limit = besideLimit(across);
  const lines = longestOf(names) > limit && step >= 2 * LINE + 2 ? wrapped(names, limit, step / 0.3) : undefined;
  return {
    ...(lines && labelTexts(lines)),
    labelOverlap: false,
    labelLimit: limit,
    ...(step < MIN_STEP && { values: every(names, MIN_STEP / step) }),
  };
}

/** The names in lines of at most the width, if they are few enough to leave most of the chart to its marks. */
function wrapped(names: readonly string[], width: number, across: number): Map<string, string[]> | undefined {
  if (width < 3 * LABEL_SIZE) return undefined;
  const lines = new Map<string, string[]>();
  for (const name of names) {
    const wrappedName = wrapText(name, width, LABEL_SIZE);
    if (!wrappedName || wrappedName.length > MAX_LINES || wrappedName.length * LINE > across * 0.3) return undefined;
    lines.set(name, wrappedName);
  }
  return lines;
}

/** The first of each so many names. */
export const every = <T>(names: readonly T[], count: number): T[] =>
  names.filter((_, index) => index % Math.ceil(count) === 0);
