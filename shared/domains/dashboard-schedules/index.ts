/** The public API of this domain; everything else is internal. */
export { endRuns, endSchedules } from './end-schedules.ts';
export {
  CONDITIONS,
  DASHBOARDS,
  hasFilters,
  MAX_ATTACHED_BYTES,
  MAX_RECIPIENTS,
  MAX_SCHEDULES,
  RUN_REASONS,
  type RunReason,
  type ScheduleContent,
  type ScheduleRecord,
  SKIP_REASONS,
  type SkipReason,
  STOP_REASONS,
  type StopReason,
  type StoredFile,
  type StoredScheduleMail,
} from './records.ts';
export { type ScheduleRepository, scheduleRepository } from './repository.ts';
export { type SentStates, sentStates } from './sent-state.ts';
