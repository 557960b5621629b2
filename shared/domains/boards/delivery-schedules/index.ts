/** The public API of this domain; everything else is internal. */
export { dashboardSchedules, reportSchedules, type ScheduleDelivery } from './deliveries.ts';
export { endSchedules, scheduleCleanUps } from './end-schedules.ts';
export { DASHBOARDS, REPORTS, type ScheduleKind, STORIES } from './kinds.ts';
export { hasFilters, parameterIssues } from './object-issues.ts';
export { deliveryPeople, outsideRecipient } from './recipients.ts';
export {
  CONDITIONS,
  DASHBOARD_STOP_REASONS,
  type DashboardSchedule,
  type DeliveryTarget,
  MAX_ATTACHED_BYTES,
  MAX_RECIPIENTS,
  MAX_SCHEDULES,
  MAX_TARGETS,
  REPORT_STOP_REASONS,
  type ReportSchedule,
  type ScheduleContent,
  type ScheduleRecord,
  SKIP_REASONS,
  type SkipReason,
  STORY_STOP_REASONS,
  type StopReason,
  type StoredFile,
  type StoredPicture,
  type StoredScheduleMail,
  type StorySchedule,
  TARGET_FAILURES,
  TARGET_TYPES,
  type TargetFailure,
  type TargetType,
} from './records.ts';
export { type ScheduleRepository, scheduleRepository } from './repository.ts';
export { createSchedule, deleteSchedule, type GivenSchedule, updateSchedule } from './save-schedule.ts';
export { type GivenTarget, savedTargets } from './save-targets.ts';
export { listScheduleRuns, listSchedules, runSchedule } from './schedule-runs.ts';
export {
  type ObjectNamed,
  openSchedules,
  type ScheduleDeps,
  type ScheduledObject,
  type ScheduleNamed,
} from './scheduled-object.ts';
export { type SentStates, sentStates } from './sent-state.ts';
export {
  type RunReason,
  type ShownRun,
  type ShownRunSummary,
  type ShownSchedule,
  type ShownTarget,
  showTarget,
} from './show-schedule.ts';
