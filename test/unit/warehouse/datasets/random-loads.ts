import type { LoadHow } from '../../../../shared/data/tables/prepare-load.ts';

/** A row to load. `seq` orders rows of one key; `gone` deletes a key where the load has a delete column. */
export interface InputRow {
  id: number;
  day: string | null;
  v: number | null;
  seq: number;
  gone: boolean | null;
}

export interface RandomLoad {
  how: LoadHow;
  rows: InputRow[];
  /** Whether the batch has the column `gone`. */
  marks: boolean;
}

type Random = () => number;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const DAYS = ['2026-01-01', '2026-01-02', '2026-02-01', null];

/** The rows of a batch over few keys, so that loads meet each other. */
function randomRows(random: Random, isUnique: boolean): InputRow[] {
  const rows = Array.from(
    { length: Math.floor(random() * 9) },
    (_, seq): InputRow => ({
      id: Math.floor(random() * 8),
      day: pick(random, DAYS),
      v: random() < 0.15 ? null : Math.floor(random() * 3),
      seq,
      gone: random() < 0.2 ? null : random() < 0.25,
    }),
  );
  return isUnique ? [...new Map(rows.map((row) => [row.id, row])).values()] : rows;
}

const PLAIN = ['append', 'overwrite', 'partition', 'upsert', 'delete_insert', 'insert_only'] as const;

/** A load into a dataset without a history, split by `day` or not. */
export function randomLoad(random: Random, isSplit: boolean): RandomLoad {
  const kind = pick(random, isSplit ? PLAIN : PLAIN.filter((each) => each !== 'partition'));
  if (kind === 'append' || kind === 'overwrite')
    return { how: { mode: kind }, rows: randomRows(random, false), marks: false };
  if (kind === 'partition') {
    return { how: { mode: 'overwrite', scope: 'partition' }, rows: randomRows(random, false), marks: false };
  }
  const marks = random() < 0.5;
  const repeats = kind !== 'delete_insert' && random() < 0.5;
  const how: LoadHow = {
    mode: 'merge',
    strategy: kind,
    mergeKey: ['id'],
    ...(marks ? { deleteColumn: 'gone' } : {}),
    ...(repeats ? { dedupeOrderBy: [{ column: 'seq', direction: 'desc' }] } : {}),
  };
  return { how, rows: randomRows(random, kind !== 'delete_insert' && !repeats), marks };
}

/** A load into a history; some runs are older than the one before. */
export function randomHistoryLoad(random: Random, round: number): RandomLoad & { at: number } {
  const at = Math.max(0, round - (random() < 0.3 ? Math.ceil(random() * 3) : 0)) * 1_000_000;
  const how: LoadHow = {
    mode: 'merge',
    strategy: 'scd2',
    mergeKey: ['id'],
    deleteColumn: 'gone',
    validFrom: new Date(Date.UTC(2026, 0, 1) + at / 1000).toISOString(),
  };
  // Rows often come again unchanged.
  const rows = randomRows(random, true).map((row) => ({ ...row, seq: 0 }));
  return { how, rows, marks: true, at };
}

export type StoredRow = Omit<InputRow, 'gone'>;

const stored = ({ gone: _gone, ...row }: InputRow): StoredRow => row;

/** The rows after a load, as the guide says it. */
export function rowsAfter(before: readonly StoredRow[], { how, rows, marks }: RandomLoad): StoredRow[] {
  if (how.mode === 'append') return [...before, ...rows.map(stored)];
  if (how.mode === 'overwrite') {
    const days = new Set(rows.map(({ day }) => day));
    const others = how.scope === 'partition' ? before.filter(({ day }) => !days.has(day)) : [];
    return [...others, ...rows.map(stored)];
  }
  const batch = how.dedupeOrderBy ? lastOfEachKey(rows) : rows;
  const keys = new Set(batch.map(({ id }) => id));
  const loaded = batch.filter(({ gone }) => !marks || gone !== true).map(stored);
  if (how.strategy === 'insert_only') {
    const known = new Set(before.map(({ id }) => id));
    return [...before, ...loaded.filter(({ id }) => !known.has(id))];
  }
  return [...before.filter(({ id }) => !keys.has(id)), ...loaded];
}

const lastOfEachKey = (rows: readonly InputRow[]): InputRow[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** A row of a history; times are microseconds since the first run. */
export interface HistoryRow extends StoredRow {
  from: number;
  to: number | null;
}

/** The history after a load: changed rows are closed and followed by their new state. `seq` is a value like others. */
export function historyAfter(
  before: readonly HistoryRow[],
  { rows, at }: { rows: InputRow[]; at: number },
): HistoryRow[] {
  const after = before.map((row) => ({ ...row }));
  for (const row of rows) {
    const ofKey = after.filter(({ id }) => id === row.id);
    const current = ofKey.find(({ to }) => to === null);
    const isSame = current && current.day === row.day && current.v === row.v && current.seq === row.seq;
    if (row.gone === true ? !current : isSame) continue;
    const since = Math.max(at, ...ofKey.map(({ from, to }) => Math.max(from + 1, to ?? 0)));
    if (current) current.to = since;
    if (row.gone !== true) after.push({ ...stored(row), from: since, to: null });
  }
  return after;
}
