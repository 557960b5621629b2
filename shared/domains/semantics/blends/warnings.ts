import { type Join, type JoinKey, type JoinStatistics, SIDES, type Side } from '../../../data/blends/join-sql.ts';
import type { BlendRecord } from './records.ts';
import { sideOf } from './sides.ts';

export const BLEND_WARNINGS = ['FAN_OUT', 'NO_MATCH', 'KEYS_NOT_CONVERTED', 'TRUNCATED'] as const;

export interface BlendWarning {
  code: (typeof BLEND_WARNINGS)[number];
  message: string;
  /** With `FAN_OUT`: how many rows of the right side a row of the left one has on average, of those that match. */
  factor?: number;
  /** With `KEYS_NOT_CONVERTED`. */
  side?: Side;
  rows?: number;
}

interface Joined {
  blend: Pick<BlendRecord, 'leftAlias' | 'rightAlias'> & BlendRecord;
  keys: readonly Omit<JoinKey, Side>[];
  joinType: Join;
  totalRows: number;
  rowCount: number;
  truncated: boolean;
  /** Whether only the rows of the right side were read that match one of the left. */
  isPushed: boolean;
}

/** How many rows the join has. */
export function joinedRows({ pairs, leftRows, matchedLeft, rightRows, matchedRight }: JoinStatistics, join: Join) {
  const alone = { left: leftRows - matchedLeft, right: rightRows - matchedRight };
  return pairs + (join === 'inner' ? 0 : alone.left) + (join === 'full' ? alone.right : 0);
}

/** What a reader of the rows should know, in words. */
export function warningsOf(found: JoinStatistics, joined: Joined): BlendWarning[] {
  return [...noMatch(found, joined), ...notConverted(found, joined), ...fanOut(found, joined), ...truncated(joined)];
}

/** The same for groups of the sides, whose rows are not counted. */
export function groupWarnings(found: JoinStatistics, joined: Pick<Joined, 'blend' | 'keys' | 'isPushed'>): string[] {
  const types = [...new Set(joined.keys.map(({ as }) => as))].join(', ');
  return [
    ...noMatch(found, joined).map(({ message }) => message),
    ...SIDES.filter((side) => found[`${side}Unconverted`] > 0).map(
      (side) =>
        `Some keys of ${sideOf(joined.blend, side).alias} do not convert to ${types} without loss and match nothing.`,
    ),
  ];
}

function noMatch(found: JoinStatistics, { blend, isPushed }: Pick<Joined, 'blend' | 'isPushed'>): BlendWarning[] {
  if (found.pairs > 0) return [];
  const { leftAlias, rightAlias } = blend;
  return [
    {
      code: 'NO_MATCH',
      message: `No row of ${leftAlias} matches a row of ${rightAlias}${reasons(found, blend, isPushed)}.`,
    },
  ];
}

function reasons(found: JoinStatistics, blend: BlendRecord, isPushed: boolean): string {
  const known: readonly Side[] = isPushed ? ['left'] : SIDES;
  const empty = known.find((side) => found[`${side}Rows`] === 0);
  if (empty) return `, because ${sideOf(blend, empty).alias} has no rows that pass its filters and that you may see`;
  const keyless = known.find((side) => found[`${side}NullKeys`] === found[`${side}Rows`]);
  if (keyless) return `, because the keys of ${sideOf(blend, keyless).alias} have no values`;
  const lost = known.find((side) => found[`${side}Unconverted`] === found[`${side}Rows`]);
  if (lost) return `, because no key of ${sideOf(blend, lost).alias} converts`;
  return ', because none of their keys are equal. If texts differ only in case or spaces, set `caseInsensitive` or `trim`';
}

function notConverted(found: JoinStatistics, { blend, keys }: Joined): BlendWarning[] {
  const types = [...new Set(keys.map(({ as }) => as))].join(', ');
  return SIDES.flatMap((side): BlendWarning[] => {
    const rows = found[`${side}Unconverted`];
    if (rows === 0) return [];
    const message = `The keys of ${counted(rows)} of ${sideOf(blend, side).alias} do not convert to ${types} without loss and match nothing.`;
    return [{ code: 'KEYS_NOT_CONVERTED', message, side, rows }];
  });
}

function fanOut(found: JoinStatistics, { blend }: Joined): BlendWarning[] {
  const { pairs, matchedLeft, maxMultiplicity } = found;
  if (maxMultiplicity <= 1) return [];
  const factor = Math.round((pairs / matchedLeft) * 100) / 100;
  const { leftAlias, rightAlias } = blend;
  const message = `A row of ${leftAlias} matches ${factor} rows of ${rightAlias} on average, at most ${maxMultiplicity}. Its values are repeated in each of them, so their sum would be too high.`;
  return [{ code: 'FAN_OUT', message, factor }];
}

function truncated({ rowCount, totalRows, truncated: isCut }: Joined): BlendWarning[] {
  if (!isCut) return [];
  return [{ code: 'TRUNCATED', message: `Only ${rowCount} of ${totalRows} rows are returned.` }];
}

const counted = (rows: number) => (rows === 1 ? '1 row' : `${rows} rows`);
