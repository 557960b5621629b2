import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { issuesOf } from '../../../support/given/model.ts';

/** Functions trust for some seconds what they have seen. */
const SOON = { timeout: 60_000, interval: 500 };

const setGroup = (api: Api, certifierGroupId: string | null) =>
  api.as('owner').patch('/api/workspaces/current', { certifierGroupId });

async function givenCertifiers(api: Api) {
  const { body: group } = await api.as('owner').post('/api/groups', { name: 'Data office' });
  const [editor, viewer] = [await givenMember(api, 'editor'), await givenMember(api)];
  for (const { userId } of [editor, viewer])
    expect((await api.as('owner').put(`/api/groups/${group.id}/members/${userId}`)).status).toBe(200);
  return { groupId: group.id as string, editor, viewer };
}

describe('the group of certifiers', () => {
  it('certifies and organizes as admins do, while the workspace names it and for as long as people are in it', async ({
    api,
  }) => {
    const { groupId, editor, viewer } = await givenCertifiers(api);
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const path = `/api/catalog/certifications/metric/${metric.id}`;
    const certify = ({ token }: { token: string }) => api.as({ token }).put(path, { status: 'certified' });
    for (const person of [editor, viewer]) expect((await certify(person)).status).toBe(403);

    expect(await setGroup(api, groupId)).toMatchObject({ status: 200, body: { certifierGroupId: groupId } });
    for (const person of [editor, viewer])
      await vi.waitFor(async () => expect((await certify(person)).status).toBe(200), SOON);
    expect((await api.as('editor').put(path, { status: 'none' })).status).toBe(403);
    const named = await api.as(viewer).patch(metric.path, { isCertified: false });
    expect(named.status, 'certifying gives no right to change the object').toBe(403);
    const domain = () => api.as(viewer).post('/api/catalog/domains', { name: 'Finance' });
    await vi.waitFor(async () => expect((await domain()).status).toBe(201), SOON);

    // Their changes of meaning keep the certification; those of other editors end it.
    const grain = async (person: { token: string } | 'editor', value: string) => {
      await vi.waitFor(async () => {
        const { status, body } = await api.as(person).patch(metric.path, { grain: value });
        expect(status, JSON.stringify(body)).toBe(200);
      }, SOON);
      return (await api.as('owner').get(path)).body.isCertified;
    };
    expect(await grain(editor, 'week')).toBe(true);
    expect(await grain('editor', 'month')).toBe(false);

    expect((await api.as('owner').delete(`/api/groups/${groupId}/members/${editor.userId}`)).status).toBe(204);
    await vi.waitFor(async () => expect((await certify(editor)).status).toBe(403), SOON);
    expect((await setGroup(api, null)).status).toBe(200);
    await vi.waitFor(async () => expect((await certify(viewer)).status).toBe(403), SOON);
  });

  it('is a group of the workspace, named by admins', async ({ api }) => {
    const { groupId } = await givenCertifiers(api);
    for (const actor of ['editor', 'viewer'] as const)
      expect((await api.as(actor).patch('/api/workspaces/current', { certifierGroupId: groupId })).status).toBe(403);
    const unknown = await setGroup(api, crypto.randomUUID());
    expect(unknown.status).toBe(400);
    expect(issuesOf(unknown)).toEqual(['/certifierGroupId NOT_FOUND']);
    const foreign = await api.as('stranger').patch('/api/workspaces/current', { certifierGroupId: groupId });
    expect(issuesOf(foreign)).toEqual(['/certifierGroupId NOT_FOUND']);
    expect((await api.as('owner').get('/api/workspaces/current')).body.certifierGroupId).toBeNull();
  });
});
