import { describe, expect } from 'vitest';
import { reportPresence } from '../../../../functions/stories/stories/people/use-cases.ts';
import { storyStore } from '../../../../shared/domains/stories/stories/index.ts';
import { grantReader } from '../../../../shared/domains/tenancy/grants/index.ts';
import { memberPrincipal } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { PRICES } from '../../../bench/prices.ts';
import { type Api, it } from '../../../support/api.ts';
import { killedAt } from '../../../support/given/killed.ts';
import { type GivenStory, givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';

/** A member whose heartbeats are counted in writes of the table. */
async function givenPresent(api: Api, story: GivenStory, permission?: string) {
  const { userId, caller } = await givenGrantee(api, story, permission);
  const { workspaceId, companyId } = api;
  const principal = (await memberPrincipal(api.table, { workspaceId, companyId, userId }))!;
  const { table, count } = killedAt(api, { write: Number.POSITIVE_INFINITY, isAfter: false });
  const deps = { table, store: storyStore(table), grantOf: grantReader(table, 'story'), now: () => new Date() };
  const beat = async (body: Partial<Parameters<typeof reportPresence>[1]> = {}) => {
    const before = count();
    const reply = await reportPresence(deps, { principal, id: story.id, ...body });
    return { ...reply, writes: count() - before };
  };
  return { userId, caller, beat };
}

describe('a heartbeat', () => {
  it('renews the lock and shows its holder to others with one write', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const [sectionId] = story.sections as [string];
    const writer = await givenPresent(api, story, 'contributor');
    const taken = (await writer.caller.post(`${story.path}/sections/${sectionId}/lock`)).body;
    const renewed = await writer.beat({ sectionId, lockId: taken.lockId, readSeconds: 15 });
    expect(renewed).toMatchObject({ writes: 1, lock: { lockId: taken.lockId, acquiredAt: taken.acquiredAt } });
    expect(renewed.lock!.expiresAt > taken.expiresAt).toBe(true);
    const { viewers, sections } = (await api.as('editor').post(`${story.path}/presence`)).body;
    expect(viewers).toMatchObject([{ userId: writer.userId, sectionId }]);
    expect(sections).toMatchObject([{ lock: { holder: { id: writer.userId }, expiresAt: renewed.lock!.expiresAt } }]);
  });

  it('is one write without a lock, with one that has ended or was taken over, and for readers', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const [sectionId] = story.sections as [string];
    const lock = `${story.path}/sections/${sectionId}/lock`;
    const writer = await givenPresent(api, story, 'contributor');
    expect(await writer.beat({ sectionId })).toMatchObject({ writes: 1 });
    const { lockId } = (await writer.caller.post(lock)).body;
    await writer.caller.post(lock);
    expect(await writer.beat({ sectionId, lockId })).toMatchObject({ writes: 1, lock: { takenOver: true } });
    await writer.caller.delete(lock);
    expect(await writer.beat({ sectionId, lockId })).toMatchObject({ writes: 1, lock: null });
    await api.as('editor').post(`${story.path}/publish`);
    const reader = await givenPresent(api, story);
    for (const isIdle of [false, true])
      expect(await reader.beat({ isIdle, readSeconds: 15 })).toMatchObject({ writes: 1 });
  });

  it('of 200 people for an hour costs less than five cents in writes', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const [sectionId] = story.sections as [string];
    const writer = await givenPresent(api, story, 'contributor');
    await writer.caller.post(`${story.path}/sections/${sectionId}/lock`);
    await writer.beat({ sectionId });
    const stored = async (area: string, sk: string) =>
      Array.fromAsync(itemsBelow(api.table, { pk: `W#${api.workspaceId}#${area}#${story.id}`, sk }));
    const items = [...(await stored('STORY', 'LOCK#')), ...(await stored('STORY-PRESENCE', ''))];
    expect(items).toHaveLength(2);
    // A unit of writes is 1 KB, with room for a name of 200 letters.
    for (const item of items) expect(JSON.stringify(item).length + 200).toBeLessThan(1024);
    const heartbeats = (200 * 60 * 60) / 15;
    expect((heartbeats * PRICES.dynamodbWriteUnitsPerMillion) / 1_000_000).toBeLessThan(0.05);
  });
});
