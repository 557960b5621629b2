import { type InlineValue, inlineValuesOf, type LiveBlock, liveBlocksOf } from '../../../data/rich-text/index.ts';
import { formattedNumber } from '../../../data/value-formats/declared-format.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { errorKind } from '../../../platform/errors/catalogue.ts';
import { DENIED_FIELD } from '../../semantics/metrics/index.ts';
import type { BlockSection } from './block-card.ts';
import type { ShownInlineValue, ValueReason } from './shown-value.ts';

/** What stands for a value that cannot be shown. */
export const HIDDEN_VALUE = '—';

/** How many different questions the values of a story ask at most. */
export const MAX_QUESTIONS = 100;
const QUESTIONS_AT_ONCE = 8;
/** A story is read within this time, whatever its sources do. */
const BUDGET_MS = 8_000;

/** Answers the questions of a reader, each for all values that ask it. */
export interface ValueReader {
  /** How the value stands for the reader. Throws why there is none. */
  metric(source: MetricSource, timeoutMs: number): Promise<ShowValue>;
  /** The rows of a live block. Throws why there are none. */
  rows(block: LiveBlock, section: BlockSection, timeoutMs: number): Promise<ValueRows>;
}

export type MetricSource = Extract<InlineValue['source'], { metricId: string }>;
type RowSource = Exclude<InlineValue['source'], { metricId: string }>;

export interface ShowValue {
  amount: unknown;
  format: Parameters<typeof formattedNumber>[1];
}

export interface ValueRows {
  columns: readonly { name: string; format: ShowValue['format'] }[];
  rows: readonly (readonly unknown[])[];
}

/** Finds the value in an answer; undefined if a row is gone. */
type Answer = (source: InlineValue['source']) => ShowValue | undefined;

interface Question {
  key: string;
  ask(timeoutMs: number): Promise<Answer>;
}

/**
 * The values in the texts of some sections as they stand for their reader, by the id of the section. Values with the
 * same question share its answer.
 */
export async function inlineValues(
  reader: ValueReader,
  sections: readonly BlockSection[],
  { onError }: { onError(error: unknown): void },
): Promise<Map<string, ShownInlineValue[]>> {
  const found = sections.flatMap((section) => {
    const blocks = new Map(liveBlocksOf(section.content).map(({ part }) => [part.id, part]));
    return inlineValuesOf(section.content).map(({ part: value }) => ({
      sectionId: section.id,
      value,
      asked: questionOf(reader, section, blocks, value),
    }));
  });
  const questions = new Map(found.flatMap(({ asked }) => (asked ? [[asked.key, asked] as const] : [])));
  const answers = new Map<string, Answer | ValueReason>();
  const until = performance.now() + BUDGET_MS;
  await inParallel(QUESTIONS_AT_ONCE, [...questions.values()].slice(0, MAX_QUESTIONS), async ({ key, ask }) => {
    const leftMs = Math.floor(until - performance.now());
    if (leftMs <= 0) return void answers.set(key, 'UNAVAILABLE');
    try {
      answers.set(key, await ask(leftMs));
    } catch (error) {
      if (!(error instanceof AppError)) onError(error);
      answers.set(key, reasonOf(error));
    }
  });
  const shown = found.map(({ sectionId, value, asked }) => {
    const answer = asked ? (answers.get(asked.key) ?? 'TOO_MANY') : 'SOURCE_NOT_FOUND';
    return { sectionId, shown: showValue(value, answer) };
  });
  const bySection = Map.groupBy(shown, ({ sectionId }) => sectionId);
  return new Map([...bySection].map(([sectionId, values]) => [sectionId, values.map((each) => each.shown)]));
}

/** Undefined for a row of a block that the section does not have. */
function questionOf(
  reader: ValueReader,
  section: BlockSection,
  blocks: ReadonlyMap<string, LiveBlock>,
  { source }: InlineValue,
): Question | undefined {
  if ('metricId' in source) {
    const { metricId, asOf, compare } = source;
    return {
      key: JSON.stringify([metricId, asOf, compare]),
      ask: async (timeoutMs) => {
        const value = await reader.metric(source, timeoutMs);
        return () => value;
      },
    };
  }
  const block = blocks.get(source.blockId);
  return (
    block && {
      key: JSON.stringify([block.id]),
      ask: async (timeoutMs) => {
        const rows = await reader.rows(block, section, timeoutMs);
        return (wanted) => valueIn(rows, wanted as RowSource);
      },
    }
  );
}

function valueIn({ columns, rows }: ValueRows, { measure, rowKey = {} }: RowSource): ShowValue | undefined {
  const place = (name: string) => columns.findIndex((column) => column.name === name);
  const keys = Object.entries(rowKey).map(([name, value]) => ({ at: place(name), value: String(value) }));
  const row = rows.find((each) => keys.every(({ at, value }) => at >= 0 && String(each[at] ?? null) === value));
  const at = place(measure);
  return row && at >= 0 ? { amount: row[at], format: columns[at]!.format } : undefined;
}

function showValue({ id, written, format, source }: InlineValue, answer: Answer | ValueReason): ShownInlineValue {
  if (typeof answer === 'string') return hiddenValue(id, answer);
  const found = answer(source);
  if (!found) return hiddenValue(id, 'ROW_NOT_FOUND');
  const { amount, format: declared } = found;
  if (amount === null) return { id, now: HIDDEN_VALUE, changed: written !== HIDDEN_VALUE, reason: 'NO_VALUE' };
  const now = isAmount(amount) ? formattedNumber(amount, format ?? declared) : String(amount);
  return { id, now, changed: now !== written, reason: null };
}

/** Decimals and large integers are texts. */
const isAmount = (value: unknown): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

const hiddenValue = (id: string, reason: ValueReason): ShownInlineValue => ({
  id,
  now: HIDDEN_VALUE,
  changed: false,
  reason,
});

/** What the reader may not see, as opposed to what does not exist or cannot be read at present. */
function reasonOf(error: unknown): ValueReason {
  if (!(error instanceof AppError)) return 'UNAVAILABLE';
  const { code, errors } = error;
  if (code === 'SNAPSHOT_OTHER_RIGHTS') return code;
  const kind = errorKind(code);
  if (kind === 'notFound') return 'SOURCE_NOT_FOUND';
  return kind === 'forbidden' || errors.some((issue) => issue.code === DENIED_FIELD) ? 'NO_ACCESS' : 'UNAVAILABLE';
}
