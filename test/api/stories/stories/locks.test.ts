import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { idFrom } from '../../../../shared/platform/storage/ids.ts';
import { it } from '../../../support/api.ts';
import { givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';

describe('locks of sections', () => {
  it('have one winner among 50 who take them at the same time', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    const lock = `${story.path}/sections/${story.sections[0]}/lock`;
    const people = [api.as('owner'), api.as('editor'), api.as('admin')];
    for (let member = 0; member < 3; member += 1) people.push((await givenGrantee(api, story, 'contributor')).caller);
    const replies = await Promise.all(Array.from({ length: 50 }, (_, index) => people[index % 6]!.post(lock)));
    const won = replies.filter(({ status }) => status === 200);
    expect(new Set(won.map(({ body }) => body.holder.id)).size).toBe(1);
    const lost = replies.filter(({ status }) => status !== 200);
    for (const reply of lost) expect(reply).toMatchObject({ status: 423, body: { holder: won[0]!.body.holder } });
    expect(lost.length).toBeGreaterThan(35);
  });

  it('are renewed by their tab, taken over by another tab of the holder, and ended', async ({ api }) => {
    const editor = api.as('editor');
    const story = await givenStory(api, texts(['a', 'A']));
    const [sectionId] = story.sections;
    const lock = `${story.path}/sections/${sectionId}/lock`;
    const first = await editor.post(lock);
    const { lockId } = first.body;
    expect(first.body).toMatchObject({ sectionId, editSeq: 1, lockId: expect.any(String) });
    expect((await editor.post(lock, { lockId })).body).toMatchObject({ lockId, acquiredAt: first.body.acquiredAt });
    const beat = await editor.post(`${story.path}/presence`, { sectionId, lockId });
    expect(beat.body).toMatchObject({
      viewers: [],
      lock: { lockId },
      sections: [{ id: sectionId, lock: { sectionId } }],
    });
    const other = await editor.post(lock);
    expect(other.body.lockId).not.toBe(lockId);
    expect((await editor.post(lock, { lockId })).body).toMatchObject({ takenOver: true, lockId: null });
    const late = await editor.post(`${story.path}/presence`, { lockId });
    expect(late.body.lock).toMatchObject({ takenOver: true, lockId: null });
    expect((await editor.patch(`${story.path}/sections/${sectionId}`, { title: 'x' })).body.lock).toMatchObject({
      sectionId,
    });

    expect(await api.as('owner').delete(lock)).toMatchObject({ status: 423, body: { code: 'SECTION_LOCKED' } });
    const { caller } = await givenGrantee(api, story, 'contributor');
    expect(await caller.delete(`${lock}?force=true`)).toMatchObject({ status: 403 });
    expect((await editor.delete(lock)).status).toBe(204);
    expect((await editor.delete(lock)).status).toBe(204);
    expect((await editor.post(`${story.path}/presence`, { lockId })).body.lock).toBeNull();
    expect((await api.as('owner').post(lock)).status).toBe(200);
    const missing = `${story.path}/sections/${idFrom('x')}/lock`;
    expect(await editor.delete(missing)).toMatchObject({ body: { code: 'STORY_SECTION_NOT_FOUND' } });
    expect(await api.as('stranger').delete(lock)).toMatchObject({ body: { code: 'STORY_NOT_FOUND' } });
  });

  it('that have expired keep no one from the section, and those in force never their holder', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const story = await givenStory(api, texts(['a', 'A']));
    const [sectionId] = story.sections as [string];
    const section = `${story.path}/sections/${sectionId}`;
    const { acquiredAt, expiresAt, lockId } = (await editor.post(`${section}/lock`)).body;
    expect(Date.parse(expiresAt) - Date.parse(acquiredAt), 'a closed tab blocks for two minutes at most').toBe(120_000);
    for (const words of ['H', 'He', 'Hello'])
      expect((await editor.patch(section, { content: texts(['a', words]) })).status, 'without a lock id').toBe(200);
    expect(await owner.post(`${section}/lock`), 'saving does not end the lock').toMatchObject({ status: 423 });

    const end = { pk: `W#${api.workspaceId}#STORY#${story.id}`, sk: `LOCK#${sectionId}` };
    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key: end,
        ConditionExpression: 'lockExpiresAt = :before',
        UpdateExpression: 'SET lockExpiresAt = :past',
        ExpressionAttributeValues: { ':before': expiresAt, ':past': new Date(Date.now() - 1).toISOString() },
      }),
    );
    expect((await owner.get(story.path)).body.sections[0].lock).toBeNull();
    expect((await owner.post(`${story.path}/presence`)).body.sections[0].lock).toBeNull();
    expect((await owner.patch(section, { title: 'Free' })).status).toBe(200);
    expect((await owner.post(`${section}/lock`)).status).toBe(200);
    expect((await editor.post(`${story.path}/presence`, { lockId })).body.lock, 'the former holder').toBeNull();
    expect(await editor.post(`${section}/lock`, { lockId })).toMatchObject({ status: 423 });
  });

  it('end when their holder loses access, is deactivated or leaves', async ({ api }) => {
    const owner = api.as('owner');
    const story = await givenStory(api, texts(['a', 'A']));
    const section = `${story.path}/sections/${story.sections[0]}`;
    const revoked = await givenGrantee(api, story, 'contributor');
    expect((await revoked.caller.post(`${section}/lock`)).status).toBe(200);
    expect(await owner.patch(section, { title: 'x' })).toMatchObject({ body: { code: 'SECTION_LOCKED' } });
    expect((await owner.delete(`${story.path}/access/${revoked.userId}`)).status).toBe(204);
    expect((await owner.patch(section, { title: 'y' })).status).toBe(200);
    expect((await owner.post(`${section}/lock`)).status).toBe(200);
    await owner.delete(`${section}/lock`);

    const deactivated = await givenGrantee(api, story, 'contributor');
    expect((await deactivated.caller.post(`${section}/lock`)).status).toBe(200);
    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key: { pk: `U#${deactivated.userId}`, sk: 'META' },
        UpdateExpression: 'SET active = :no',
        ExpressionAttributeValues: { ':no': false },
      }),
    );
    expect((await owner.patch(section, { title: 'z' })).status).toBe(200);
    expect((await owner.post(`${section}/lock`)).status).toBe(200);
    await owner.delete(`${section}/lock`);

    const removed = await givenGrantee(api, story, 'contributor');
    await removed.caller.post(`${section}/lock`);
    expect((await owner.delete(`/api/workspaces/members/${removed.userId}`)).status).toBe(204);
    const beat = await api.as('editor').post(`${story.path}/presence`);
    expect(beat.body.sections[0].lock).toBeNull();
    expect((await api.as('editor').post(`${section}/lock`)).status).toBe(200);
  });
});
