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
import { type AlertRecord, type StoredClass, sharesRows } from '../rules/index.ts';
import {
  type AlertReadDeps,
  digestOf,
  type PersonalClass,
  personalCondition,
  type RawAnswer,
} from '../sources/index.ts';
import type { ReaderClass } from './classes.ts';

/** A finding, and why there is no value. */
export type ReasonedFinding = GroupFinding & { reason: NoValueReason | null };

/** Findings, and the lasting class of those who may see their values. */
export interface ClassFindings {
  findings: ReasonedFinding[];
  lasting: string | null;
}

/** An answer, and the lasting class that it was read as; null if that changed again and again meanwhile. */
interface ClassAnswer {
  answer: RawAnswer;
  lasting: string | null;
}

/** Answers that several rules share: one query for each source and class. */
export interface Answers {
  of(alert: AlertRecord, readerClass: ReaderClass, at: Date): Promise<ClassAnswer>;
}

const MAX_READS = 2;

export function sharedAnswers(reading: AlertReadDeps): Answers {
  const known = new Map<string, Promise<ClassAnswer>>();
  const read = async (alert: AlertRecord, readerClass: ReaderClass, at: Date): Promise<ClassAnswer> => {
    const { opened, reader } = readerClass;
    let { lasting } = readerClass;
    for (let reads = 1; ; reads++) {
      const answer = await opened.readAnswer(reading, reader, at);
      const after = await sameClass(reading, alert, readerClass);
      if (after.lasting === lasting) return { answer, lasting };
      // A policy whose rows the time decides is another one with every read.
      if (reads === MAX_READS) return { answer, lasting: null };
      lasting = after.lasting;
    }
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

const SOURCE_CHANGED: Finding = {
  kind: 'error',
  error: {
    code: 'ALERT_SOURCE_CHANGED',
    message:
      'The source has changed since the owner shared its rows. The owner shares them again with `shareRows`: true.',
  },
};

/**
 * What the condition finds for the class. A source that cannot be read is an error of the rule, and the values of
 * before stay.
 */
export async function findingsOf(
  deps: { answers: Answers },
  alert: AlertRecord,
  readerClass: ReaderClass,
  before: StoredClass | undefined,
  at: Date,
): Promise<ClassFindings> {
  const { opened } = readerClass;
  // Otherwise an editor could change which of the owner's rows recipients get.
  if (sharesRows(alert) && alert.sharedSource !== digestOf(opened.key)) return errorFindings(before, SOURCE_CHANGED);
  try {
    const { answer, lasting } = await deps.answers.of(alert, readerClass, at);
    const check = checkOf(alert.condition, opened.target);
    const findings = opened.interpret(answer).map(({ group, reading, around }): ReasonedFinding => {
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
    return { findings, lasting };
  } catch (error) {
    return errorFindings(before, errorFinding(error));
  }
}

/** An error of the whole rule. The values of before stay, and so do those who may see them. */
export const errorFindings = (before: StoredClass | undefined, finding: Finding): ClassFindings => ({
  findings: [{ group: '', finding, value: null, reason: null }],
  lasting: before?.lasting ?? null,
});

/** What was read while the rights or the source changed belongs to no class: the message comes again. */
async function sameClass(
  deps: AlertReadDeps,
  alert: AlertRecord,
  { reader, key }: Pick<ReaderClass, 'reader' | 'key'>,
): Promise<PersonalClass> {
  const found = await personalCondition(deps, reader, alert);
  if (found.classKey !== key) throw new Error('what a reader sees of the source has changed during the evaluation');
  return found;
}

/** Errors of the platform are thrown, so that the message comes again. */
export function errorFinding(error: unknown): Finding {
  if (!(error instanceof AppError) || errorKind(error.code) === 'internal') throw error;
  // The detail may quote values of rows.
  return { kind: 'error', error: { code: error.code, message: ERRORS[error.code][1] } };
}
