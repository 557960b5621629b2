import { api, type Types } from './client.ts';
import { started } from './started.ts';

/** What is sent on a schedule: a dashboard or a report. */
export type Delivery = Types.DashboardSchedule | Types.ReportSchedule;
export type DeliveryRun = Types.DashboardScheduleRun | Types.ReportScheduleRun;

export interface DeliveryBody {
  name: string;
  cron: string;
  timezone: string;
  recipients: string[];
  targets: Types.ChangedDeliveryTarget[];
  format: Delivery['format'];
  condition: 'always' | 'hasRows' | 'changed';
  isActive: boolean;
  /** Of a dashboard. */
  pageId?: string | null;
}

/** The deliveries of one object. */
export interface Deliveries {
  key: readonly unknown[];
  list(): Promise<readonly Delivery[]>;
  create(body: DeliveryBody): PromiseLike<unknown>;
  update(id: string, body: Partial<DeliveryBody>, ifMatch: number): PromiseLike<unknown>;
  remove(id: string, ifMatch: number): PromiseLike<unknown>;
  send(id: string): PromiseLike<unknown>;
  runs(id: string): Promise<readonly DeliveryRun[]>;
}

export const dashboardDeliveries = (id: string): Deliveries => ({
  key: ['dashboards', id, 'deliveries'],
  list: async () => (await api.dashboards.listSchedules(id)).items,
  create: (body) => api.dashboards.createSchedule(id, body as Types.CreateDashboardSchedule),
  update: (each, body, ifMatch) => api.dashboards.updateSchedule(id, each, body, { ifMatch }),
  remove: (each, ifMatch) => api.dashboards.deleteSchedule(id, each, { ifMatch }),
  send: (each) => started(api.dashboards.runSchedule(id, each)),
  runs: async (each) => (await api.dashboards.listScheduleRuns(id, each, { limit: 10 })).items,
});

export const reportDeliveries = (id: string): Deliveries => ({
  key: ['reports', id, 'deliveries'],
  list: async () => (await api.reports.listSchedules(id)).items,
  create: (body) => api.reports.createSchedule(id, body as Types.CreateReportSchedule),
  update: (each, body, ifMatch) => api.reports.updateSchedule(id, each, body, { ifMatch }),
  remove: (each, ifMatch) => api.reports.deleteSchedule(id, each, { ifMatch }),
  send: (each) => started(api.reports.runSchedule(id, each)),
  runs: async (each) => (await api.reports.listScheduleRuns(id, each, { limit: 10 })).items,
});

/** Email addresses with commas, spaces or lines between them, each once. */
export const addressesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
];

const REASONS: Readonly<Record<string, string>> = {
  OWNER_LEFT: 'its owner has left the workspace',
  OWNER_INACTIVE: 'its owner is deactivated',
  NO_RECIPIENTS: 'it has no recipients',
  NO_METRICS: 'it has no metrics',
  NO_METRICS_VISIBLE: 'may see none of its metrics',
  DASHBOARD_DELETED: 'the dashboard was deleted',
  REPORT_DELETED: 'the report was deleted',
  PAGE_DELETED: 'its page was deleted',
  FILTER_DELETED: 'a filter that it sets was deleted',
  PARAMETERS_INVALID: 'its values no longer fit the parameters',
  STILL_RUNNING: 'the run before was not complete',
  NOT_A_MEMBER: 'is no member',
  UNSUBSCRIBED: 'has unsubscribed',
  NO_ACCESS: 'may not see it',
  NO_ROWS: 'no rows',
  UNCHANGED: 'nothing has changed',
  FILTER_NOT_PUBLISHED: 'a filter is not published yet',
  DOMAIN_NOT_ALLOWED: 'the domain is not allowed',
  TARGET_REMOVED: 'the target was removed',
  OBJECT_DELETED: 'it was deleted',
  ROW_RIGHTS: 'its tables have row-level security',
  REFUSED: 'was refused',
  ADDRESS_BLOCKED: 'the address is not public',
  GONE: 'the address no longer exists',
  ATTEMPTS_EXHAUSTED: 'failed five times',
};

/** Why something was not sent, in words. */
export const reasonText = (reason: string | null): string => (reason === null ? '' : (REASONS[reason] ?? reason));
