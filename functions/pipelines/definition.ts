import type { EngineFunction } from '../../shared/engine-function/client.ts';
import { AppError, type Fault } from '../../shared/errors/app-error.ts';
import type { Concurrency, Dag } from '../../shared/pipelines/dag.ts';
import { findDagFaults } from '../../shared/pipelines/dag-faults.ts';
import { findSqlFaults } from '../../shared/pipelines/sql-check.ts';
import { type Schedule, scheduleFaults } from '../../shared/schedule/schedule.ts';

/** Every fault of a definition. Its SQL is looked at only when the rest is sound. */
export async function definitionFaults(dag: unknown, engine: Pick<EngineFunction, 'check'>): Promise<Fault[]> {
  const faults = findDagFaults(dag);
  return faults.length > 0 ? faults : findSqlFaults(dag as Dag, engine);
}

export async function refuseFaultyDag(dag: Dag, engine: Pick<EngineFunction, 'check'>): Promise<void> {
  const errors = await definitionFaults(dag, engine);
  if (errors.length > 0) throw new AppError('PIPELINE_DAG_INVALID', { errors });
}

/** The schedule to store: null for one without a rhythm. Throws `PIPELINE_SCHEDULE_INVALID`. */
export function checkedSchedule(schedule: Schedule | undefined, at: string): Schedule | null {
  if (!schedule || (schedule.cron === undefined && schedule.everySeconds === undefined)) {
    const errors = schedule ? scheduleFaults(schedule, at) : [];
    if (errors.length > 0) throw new AppError('PIPELINE_SCHEDULE_INVALID', { errors });
    return null;
  }
  const errors = scheduleFaults(schedule, at);
  if (errors.length > 0) throw new AppError('PIPELINE_SCHEDULE_INVALID', { errors });
  return { timezone: 'UTC', enabled: true, ...schedule };
}

export function completeConcurrency(concurrency: Concurrency | undefined): Required<Concurrency> {
  return { maxConcurrentRuns: 1, onOverlap: 'skip', ...concurrency };
}
