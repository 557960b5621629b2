import {
  createSchedule,
  deleteSchedule,
  type GivenSchedule,
  listScheduleRuns,
  listSchedules,
  openSchedules,
  runSchedule,
  type ScheduleRecord,
  updateSchedule,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import {
  type EndedDelivery,
  reportQueue,
  unsubscribePages,
} from '../../../shared/domains/delivery/deliveries/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { baseUrl } from '../../../shared/platform/http/base-url.ts';
import { environment, type OpenGroup } from '../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment } from '../../../shared/platform/net/guard-from-environment.ts';
import { cleanUpItem } from '../../../shared/platform/storage/clean-ups.ts';

interface OnObject {
  principal: Principal;
  params: { id: string };
}
interface OnSchedule {
  principal: Principal;
  params: { id: string; scheduleId: string };
}
interface Writing<B> {
  body: B;
  headers: Record<string, string>;
}
interface ByLink {
  query: { token: string };
}

type Kind<S extends ScheduleRecord> = Pick<Parameters<typeof openSchedules<S>>[0], 'kind' | 'charts' | 'object'>;

/** The functions behind the operations of `scheduleRoutes`, for the schedules of a kind. */
export function openDeliveries<S extends ScheduleRecord>(
  { table, master, now }: Pick<OpenGroup, 'table' | 'master' | 'now'>,
  of: Kind<S>,
) {
  const { area, name } = of.kind;
  const schedules = openSchedules<S>({
    ...{ ...of, table, master, now },
    sendsMail: Boolean(process.env.MAIL_FROM),
    queue: reportQueue(environment('REPORT_QUEUE_URL')),
    guard: guardFromEnvironment(),
    cleanUpItem: ({ workspaceId, id: deliveryId }) =>
      cleanUpItem<EndedDelivery>(table, { kind: 'delivery', workspaceId, area, deliveryId }, now()),
  });
  const { schedules: deliveries, membersOf: members } = schedules;
  const unsubscribing = unsubscribePages({ ...schedules, deliveries, members }, name);
  return {
    list: ({ principal, params: { id } }: OnObject) => listSchedules(schedules, { principal, id }),
    create: ({
      principal,
      params: { id },
      body: schedule,
      newId,
      headers,
    }: OnObject & Writing<GivenSchedule<S>> & { newId: string }) =>
      createSchedule(schedules, { principal, id, newId, schedule, apiUrl: baseUrl(headers) }),
    update: ({ principal, params, body: change, headers }: OnSchedule & Writing<Partial<GivenSchedule<S>>>) =>
      updateSchedule(schedules, { principal, ...params, change, apiUrl: baseUrl(headers) }),
    remove: ({ principal, params }: OnSchedule) => deleteSchedule(schedules, { principal, ...params }),
    runs: ({ principal, params, query: { limit } }: OnSchedule & { query: { limit: number } }) =>
      listScheduleRuns(schedules, { principal, ...params, limit }),
    run: ({ principal, params, newId: runId }: OnSchedule & { newId: string }) =>
      runSchedule(schedules, { principal, ...params, runId }),
    page: ({ query: { token } }: ByLink) => unsubscribing.ask(token),
    leave: ({ query: { token } }: ByLink) => unsubscribing.leave(token),
  };
}
