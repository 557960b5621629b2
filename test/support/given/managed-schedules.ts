import { expect } from 'vitest';
import {
  MAX_SCHEDULES,
  type ScheduleKind,
  type ScheduleRecord,
  scheduleRepository,
} from '../../../shared/domains/boards/delivery-schedules/index.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import type { Api } from '../api.ts';
import type { SentMail } from './mails.ts';
import { unsubscribeLink } from './schedules.ts';

/** A schedule of an object, and what it was created with. */
export interface ManagedSchedule {
  id: string;
  path: string;
  /** The list of the schedules of the object. */
  list: string;
  body: { name: string; cronExpression: string };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Unsubscribes by the link of the email, twice; a link that was made from it for another person does nothing. */
export async function leaveByLink(
  api: Api,
  mail: SentMail,
  { noun, userId, otherId }: { noun: string; userId: string; otherId: string },
): Promise<void> {
  const { pathname, search } = unsubscribeLink(mail);
  const page = `${pathname}${search}`;
  const reader = api.as('anonymous');
  const asked = await reader.get(page);
  expect(asked).toMatchObject({ status: 200, body: expect.stringContaining('<button>Unsubscribe</button>') });
  expect(asked.body).toContain(noun);
  for (const _twice of [1, 2]) {
    const left = await reader.send('POST', page, { headers: FORM, text: 'List-Unsubscribe=One-Click' });
    expect(left.status).toBe(200);
  }
  const forged = page.replace(userId, otherId);
  for (const reply of [await reader.get(forged), await reader.send('POST', forged)])
    expect(reply).toMatchObject({ status: 404, body: { code: 'UNSUBSCRIBE_LINK_INVALID' } });
}

/** Two schedules of an object never have the same name. */
export async function expectNameTaken(
  api: Api,
  { path, list, body }: ManagedSchedule,
  { other, code }: { other: string; code: string },
): Promise<void> {
  const taken = { status: 409, body: { code } };
  expect(await api.as('editor').post(list, { ...body, name: body.name.toUpperCase() })).toMatchObject(taken);
  expect(await api.as('editor').put(path, { name: other.toLowerCase() })).toMatchObject(taken);
}

/** A schedule that was deleted does not exist for its editors. */
export async function expectDeleted(api: Api, path: string, code: string): Promise<void> {
  const editor = api.as('editor');
  for (const reply of [
    await editor.put(path, { name: 'x' }),
    await editor.delete(path),
    await editor.get(`${path}/runs`),
    await editor.post(`${path}/run`),
  ])
    expect(reply).toMatchObject({ status: 404, body: { code } });
}

/** For people of other workspaces the object itself does not exist. */
export async function expectHidden(api: Api, { path, list, body }: ManagedSchedule, code: string): Promise<void> {
  const stranger = api.as('stranger');
  for (const reply of [
    await stranger.get(list),
    await stranger.post(list, body),
    await stranger.put(path, { name: 'x' }),
    await stranger.delete(path),
    await stranger.get(`${path}/runs`),
    await stranger.post(`${path}/run`),
  ])
    expect(reply).toMatchObject({ status: 404, body: { code } });
}

/** An object has a limited number of schedules. */
export async function expectLimited<S extends ScheduleRecord>(
  api: Api,
  kind: ScheduleKind<S>,
  { id, list, body }: ManagedSchedule,
  code: string,
): Promise<void> {
  const schedules = scheduleRepository(api.table, kind);
  const stored = (await schedules.get(api.workspaceId, id))!;
  for (let count = 1; count < MAX_SCHEDULES; count++) {
    const at = new Date().toISOString();
    await schedules.create({ ...stored, id: newId(), name: `Copy ${count}`, createdAt: at, updatedAt: at }, []);
  }
  const full = await api.as('editor').post(list, { ...body, name: 'One more' });
  expect(full).toMatchObject({ status: 409, body: { code } });
}
