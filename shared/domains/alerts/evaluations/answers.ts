import { AppError } from '../../../platform/errors/app-error.ts';
import { ERRORS, errorKind } from '../../../platform/errors/catalogue.ts';
import {
  checkOf,
  checkReading,
  type Finding,
  type GroupFinding,
  groupOf,
  type NoValueReason,
} from '../conditions/index.ts';
import type { AlertRecord, StoredClass } from '../rules/index.ts';
import { type AlertReadDeps, personalCondition, type RawAnswer } from '../sources/index.ts';
import type { ReaderClass } from './classes.ts';

/** A finding, and why there is no value. */
export type ReasonedFinding = GroupFinding & { reason: NoValueReason | null };

/** Answers that several rules share: one query for each source and class. */
export interface Answers {
  of(alert: AlertRecord, readerClass: ReaderClass, at: Date): Promise<RawAnswer>;
}

export function sharedAnswers(reading: AlertReadDeps): Answers {
  const known = new Map<string, Promise<RawAnswer>>();
  const read = async (alert: AlertRecord, { key, opened, reader }: ReaderClass, at: Date): Promise<RawAnswer> => {
    const answer = await opened.readAnswer(reading, reader, at);
    await assertSameClass(reading, alert, { reader, key });
    return answer;
  };
  return {
    of(alert, readerClass, at) {
      const name = `${readerClass.key} ${at.getTime()} ${readerClass.opened.key}`;
      const found = known.get(name) ?? read(alert, readerClass, at);
      known.set(name, found);
      return found;
    },
  };
}

/** What the condition finds for the class. A source that cannot be read is an error of the rule. */
export async function findingsOf(
  deps: { answers: Answers },
  alert: AlertRecord,
  readerClass: ReaderClass,
  before: StoredClass | undefined,
  at: Date,
): Promise<ReasonedFinding[]> {
  const { opened } = readerClass;
  try {
    const answer = await deps.answers.of(alert, readerClass, at);
    const check = checkOf(alert.condition, opened.target);
    return opened.interpret(answer).map(({ group, reading, around }): ReasonedFinding => {
      const previous = before && groupOf(before, group);
      const earlier = { base: previous?.earlier.at(-1) ?? null, baseline: previous?.earlier ?? [] };
      const checked = checkReading(reading, check, { ...earlier, ...around });
      if (checked.kind === 'none') {
        // A value without anything to compare it with is still the value.
        const value = reading.kind === 'value' ? reading.value : null;
        return { group, finding: { kind: 'none' }, value, reason: checked.reason };
      }
      return { group, finding: { kind: checked.kind }, value: checked.value, reason: null };
    });
  } catch (error) {
    return [{ group: '', finding: errorFinding(error), value: null, reason: null }];
  }
}

/** What was read while the rights or the source changed belongs to no class: the message comes again. */
async function assertSameClass(
  deps: AlertReadDeps,
  alert: AlertRecord,
  { reader, key }: Pick<ReaderClass, 'reader' | 'key'>,
): Promise<void> {
  const { classKey } = await personalCondition(deps, reader, alert);
  if (classKey !== key) throw new Error('what a reader sees of the source has changed during the evaluation');
}

/** Errors of the platform are thrown, so that the message comes again. */
export function errorFinding(error: unknown): Finding {
  if (!(error instanceof AppError) || errorKind(error.code) === 'internal') throw error;
  // The detail may quote values of rows.
  return { kind: 'error', error: { code: error.code, message: ERRORS[error.code][1] } };
}
