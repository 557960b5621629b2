import { expect, vi } from 'vitest';
import type { Api } from '../api.ts';
import type { SentMail } from './mails.ts';
import { workOnReports } from './report-work.ts';

/** A delivery schedule of the dashboard, report or story at the path. */
export async function givenSchedule(api: Api, object: string, body: object = {}) {
  const schedule = { name: `Weekly ${crypto.randomUUID()}`, cronExpression: '0 8 * * *', ...body };
  const reply = await api.as('editor').post(`${object}/schedules`, schedule);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return { ...reply.body, path: `${object}/schedules/${reply.body.id}` };
}

/** The newest run of the schedule, once it has ended: each recipient and target has a result then. */
export async function finishedRun(api: Api, path: string) {
  const run = await vi.waitFor(
    async () => {
      const [newest] = (await api.as('editor').get(`${path}/runs`)).body.items;
      expect(newest.status).not.toBe('queued');
      return newest;
    },
    { timeout: 60_000, interval: 200 },
  );
  const results: { status: string }[] = [...run.perRecipient, ...run.perTarget];
  expect(results.every(({ status }) => status !== 'queued')).toBe(true);
  return run;
}

/** The instant of the schedule on an earlier day. */
export const dayBefore = (daysAgo: number): string =>
  `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T08:00:00.000Z`;

/** Lets the worker handle an instant of the schedule. */
export const atInstant = (api: Api, kind: 'dashboard' | 'report' | 'story', deliveryId: string, scheduledAt: string) =>
  workOnReports(api, { op: 'delivery-due', kind, workspaceId: api.workspaceId, deliveryId, scheduledAt });

export const allowDomains = (api: Api, deliveryDomains: string[]) =>
  api.as('owner').patch('/api/workspaces/current', { deliveryDomains });

export const unsubscribeLink = ({ text }: SentMail): URL =>
  new URL(/https?:\S+\/unsubscribe\?token=\S+/.exec(text)![0]);
