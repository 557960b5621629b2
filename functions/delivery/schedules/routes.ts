import { grantOn } from '../../../shared/domains/tenancy/grants/index.ts';
import type { ErrorCode } from '../../../shared/platform/errors/catalogue.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import type { idParams } from '../../../shared/platform/http/schemas.ts';
import { ScheduleRunsQuery, type scheduleSchemas } from './schemas.ts';
import { unsubscribeRoutes } from './unsubscribe-routes.ts';

interface Scheduled<S extends ReturnType<typeof scheduleSchemas>> {
  noun: 'dashboard' | 'report' | 'story';
  /** The same in paths and permissions. */
  nouns: 'dashboards' | 'reports' | 'stories';
  /** It at the beginning of names of operations. */
  title: 'Dashboard' | 'Report' | 'Story';
  /** What members outside of the workspace can receive. */
  outside: string;
  codes: Readonly<Record<'objectNotFound' | 'notFound' | 'nameTaken' | 'stopped' | 'tooMany', ErrorCode>>;
  params: ReturnType<typeof idParams>;
  schemas: S;
}

/** The operations of the delivery schedules of dashboards, reports or stories. */
export function scheduleRoutes<S extends ReturnType<typeof scheduleSchemas>>(kind: Scheduled<S>) {
  const { noun, nouns, title, outside, codes, params, schemas } = kind;
  const { ScheduleParams, ScheduleRun, ScheduleRunList } = schemas;
  const path = `/api/${nouns}/{id}/schedules` as const;
  const edit = { permission: `${nouns}:write`, grant: grantOn(noun, 'editor') } as const;
  return {
    list: defineRoute({
      operationId: `list${title}Schedules`,
      method: 'GET',
      path,
      summary: `List schedules of a ${noun}`,
      ...edit,
      params,
      success: { status: 200, body: schemas.ScheduleList as S['ScheduleList'] },
      errors: [codes.objectNotFound],
    }),
    create: defineRoute({
      operationId: `create${title}Schedule`,
      method: 'POST',
      path,
      summary: `Create a schedule of a ${noun}`,
      description: `Creates a schedule that sends the ${noun} by email, and to webhooks and chat channels (\`targets\`). Each member gets what they may see. Other recipients and targets need an address in a delivery domain of the workspace; ${outside}`,
      ...edit,
      params,
      body: schemas.CreateSchedule as S['CreateSchedule'],
      success: { status: 201, body: schemas.Schedule as S['Schedule'], versioned: true },
      errors: [codes.objectNotFound, codes.nameTaken, codes.tooMany, 'MAIL_NOT_CONFIGURED', 'ADDRESS_BLOCKED'],
      idempotent: true,
      audit: `${noun}_schedule.created`,
    }),
    update: defineRoute({
      operationId: `update${title}Schedule`,
      method: 'PUT',
      path: `${path}/{scheduleId}`,
      summary: `Update a schedule of a ${noun}`,
      description:
        'Changes the given members. Recipients who have left the workspace are removed. People who have unsubscribed can only be added by themselves.',
      ...edit,
      params: ScheduleParams,
      body: schemas.UpdateSchedule as S['UpdateSchedule'],
      success: { status: 200, body: schemas.Schedule as S['Schedule'], versioned: true },
      errors: [codes.objectNotFound, codes.notFound, codes.nameTaken, 'MAIL_NOT_CONFIGURED', 'ADDRESS_BLOCKED'],
      audit: `${noun}_schedule.updated`,
    }),
    remove: defineRoute({
      operationId: `delete${title}Schedule`,
      method: 'DELETE',
      path: `${path}/{scheduleId}`,
      summary: `Delete a schedule of a ${noun}`,
      description: 'Returns the schedule as it was. Its runs are deleted with it.',
      ...edit,
      params: ScheduleParams,
      success: { status: 200, body: schemas.Schedule as S['Schedule'], versioned: true },
      errors: [codes.objectNotFound, codes.notFound],
      audit: `${noun}_schedule.deleted`,
    }),
    runs: defineRoute({
      operationId: `list${title}ScheduleRuns`,
      method: 'GET',
      path: `${path}/{scheduleId}/runs`,
      summary: `List runs of a schedule of a ${noun}`,
      description: 'Lists the newest runs, with the result for each recipient and target.',
      ...edit,
      params: ScheduleParams,
      query: ScheduleRunsQuery,
      success: { status: 200, body: ScheduleRunList },
      errors: [codes.objectNotFound, codes.notFound],
    }),
    run: defineRoute({
      operationId: `run${title}Schedule`,
      method: 'POST',
      path: `${path}/{scheduleId}/run`,
      summary: `Send a ${noun} now`,
      description: `Sends the ${noun} to every recipient and target, regardless of the times and condition of the schedule, and even while the schedule is paused. Limited to five times an hour. The reply does not wait for the emails and requests.`,
      ...edit,
      params: ScheduleParams,
      success: { status: 202, body: ScheduleRun },
      errors: [codes.objectNotFound, codes.notFound, codes.stopped, 'MAIL_NOT_CONFIGURED', 'RATE_LIMITED'],
      idempotent: true,
      audit: `${noun}_schedule.sent`,
    }),
    ...unsubscribeRoutes({
      path: `/api/${nouns}/schedules/unsubscribe`,
      noun,
      operationIds: { page: `get${title}UnsubscribePage`, leave: `unsubscribeFrom${title}` },
      audit: `${noun}_schedule.unsubscribed`,
    }),
  };
}
