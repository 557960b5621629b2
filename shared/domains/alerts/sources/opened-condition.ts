import type { Principal } from '../../../platform/auth/principal.ts';
import type { Reads } from '../../boards/charts/index.ts';
import type { Reading, Surroundings } from '../conditions/index.ts';
import type { AlertReadDeps } from './reading-deps.ts';

/** The tables of one data source that a condition reads. */
export type SourceReads = Reads;

/** What was found for one group; `''` without groups. */
export interface GroupReading {
  group: string;
  reading: Reading;
  around: Surroundings;
}

/** A column of the answer, for the checks of a condition that is saved. */
export interface AnswerColumn {
  name: string;
  type: string;
}

export interface RawAnswer {
  columns: readonly AnswerColumn[];
  /** What `interpret` of the condition's kind reads. */
  content: unknown;
}

/** A time in the past, and what an evaluation would have read then. */
export interface PastMoment {
  at: Date;
  read(): Promise<GroupReading[]>;
}

/** A condition as one person sees its source. */
export interface OpenedCondition {
  /** Equal for conditions that one query answers. */
  key: string;
  /** What decides who sees which rows: of a source with several sides, those of each. */
  reads: readonly SourceReads[];
  /** The datasets that it reads; null if it reads anything else. */
  datasetIds: readonly string[] | null;
  /** Whether the answer depends on the time as well. */
  isRelative: boolean;
  /** Whether members may see another version of the source, such as a draft. */
  differsByPerson: boolean;
  /** The value of the target that the threshold refers to. */
  target: number | null;
  /** Reads it with the rights of the principal. Throws what reading throws. */
  readAnswer(deps: AlertReadDeps, principal: Principal, at: Date): Promise<RawAnswer>;
  /** The last times at which it may have been evaluated, oldest first; null if the source has no past to read. */
  past(deps: AlertReadDeps, principal: Principal, last: number): Promise<readonly PastMoment[] | null>;
  /** Throws `ALERT_TOO_MANY_GROUPS`. */
  interpret(answer: RawAnswer): GroupReading[];
}
