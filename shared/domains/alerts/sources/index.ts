/** The public API of this domain; everything else is internal. */

export {
  callerClass,
  ownerOf,
  type PersonalClass,
  type PersonalCondition,
  personalCondition,
  readerFor,
  showClass,
} from './caller-class.ts';
export { queryOfField } from './chart-source.ts';
export { columnsOf } from './field-condition.ts';
export { openCondition } from './open-condition.ts';
export type { AnswerColumn, GroupReading, OpenedCondition, PastMoment, RawAnswer } from './opened-condition.ts';
export { type AlertOpenDeps, type AlertReadDeps, openedFrom, readingWith } from './reading-deps.ts';
export { digestOf, type RightsClass, rightsClassOf, seesAll } from './rights-class.ts';
export { type AlertSourceKind, type OpenedSource, SOURCES } from './source-kinds.ts';
