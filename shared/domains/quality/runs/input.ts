import type { JobKind, JobTrigger } from '../../../platform/jobs/record.ts';
import { isInstantOf } from '../../../platform/schedule/schedule.ts';
import type { StoredTest } from '../tests/records.ts';
import type { RunTrigger } from './records.ts';

export const QUALITY_JOB = 'quality_run' as const satisfies JobKind;
/** The subject of the job that runs every active test. */
export const ALL_TESTS = 'all';

/** Which tests a job runs. */
export type RunInput =
  | { scope: 'test'; testId: string }
  | { scope: 'all' }
  /** The tests of a table that are due at an instant. */
  | { scope: 'due'; tableKey: string; scheduledAt: string }
  /** The tests of a dataset that run after each of its versions. */
  | { scope: 'sync'; tableKey: string; version: number };

/** A job that stores the rows that fail a test, instead of a result of the test. */
export interface FailingRowsInput {
  scope: 'rows';
  testId: string;
  limit: number;
}

export const TRIGGERS: Readonly<Record<RunInput['scope'], RunTrigger>> = {
  test: 'manual',
  all: 'run_all',
  due: 'schedule',
  sync: 'sync',
};

/** Whether a job with the input runs the test. */
export function isRun(input: RunInput, test: StoredTest): boolean {
  switch (input.scope) {
    case 'test':
      return test.id === input.testId;
    case 'all':
      return test.isActive;
    case 'due':
      return (
        test.isActive && test.tableKey === input.tableKey && isInstantOf(test.schedule, new Date(input.scheduledAt))
      );
    case 'sync':
      return test.isActive && test.runOnSync && test.tableKey === input.tableKey;
  }
}

export const manualTrigger = (actor: string): JobTrigger => ({ kind: 'manual', scheduledAt: null, actor });
