import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { givenGrantee, givenStory, texts } from '../../../support/given/stories.ts';

const setting = async (api: Api, storyReview: string) => {
  const set = await api.as('owner').patch('/api/workspaces/current', { storyReview });
  expect(set).toMatchObject({ status: 200, body: { storyReview } });
};

/** A story with a review by two members. */
async function givenReviewed(api: Api) {
  const story = await givenStory(api, texts(['a', 'A']));
  const reviewers = [await givenGrantee(api, story, 'commenter'), await givenGrantee(api, story, 'commenter')];
  await api.as('editor').post(`${story.path}/review`, { reviewerIds: reviewers.map(({ userId }) => userId) });
  const decide = async (index: number, decision = 'approved') => {
    const decided = await reviewers[index]!.caller.post(`${story.path}/review/decision`, { decision });
    expect(decided.status).toBe(200);
  };
  const publish = (caller: 'editor' | 'owner' = 'editor', body?: object) =>
    api.as(caller).post(`${story.path}/publish`, body);
  return { ...story, decide, publish };
}

const required = { status: 409, body: { code: 'REVIEW_REQUIRED' } };

describe('the setting storyReview', () => {
  it('`require` publishes only what all reviewers have approved', async ({ api }) => {
    await setting(api, 'require');
    const story = await givenReviewed(api);
    expect(await story.publish()).toMatchObject(required);
    await story.decide(0);
    expect(await story.publish()).toMatchObject(required);
    await story.decide(1, 'changes_requested');
    expect(await story.publish()).toMatchObject(required);
    await story.decide(1);
    expect(await story.publish()).toMatchObject({
      status: 200,
      body: { version: 1, warnings: [], overrideReason: null },
    });

    await api.as('editor').patch(`${story.path}/sections/${story.sections[0]}`, { content: texts(['a', 'B']) });
    expect(await story.publish()).toMatchObject(required);
    expect((await api.as('viewer').get(story.path)).body.publishedVersion).toBe(1);
    const none = await givenStory(api, texts(['a', 'A']));
    expect(await api.as('editor').post(`${none.path}/publish`)).toMatchObject(required);
  });

  it('lets admins publish without a review, for a reason that the version keeps', async ({ api }) => {
    await setting(api, 'require');
    const story = await givenReviewed(api);
    const body = { override: true, overrideReason: 'The board meets now.' };
    expect(await story.publish('editor', body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(issuesOf(await story.publish('owner', { override: true }))).toEqual(['/overrideReason REQUIRED']);
    expect(issuesOf(await story.publish('owner', { ...body, overrideReason: ' ' }))).toEqual([
      '/overrideReason REQUIRED',
    ]);
    const { overrideReason } = body;
    expect(await story.publish('owner', body)).toMatchObject({ status: 200, body: { version: 1, overrideReason } });
    expect((await api.as('editor').get(`${story.path}/versions/1`)).body).toMatchObject({ overrideReason });
  });

  it('`require` restores a version only once its texts are approved, or for admins with a reason', async ({ api }) => {
    const story = await givenReviewed(api);
    const section = `${story.path}/sections/${story.sections[0]}`;
    const editor = api.as('editor');
    const restore = (caller: 'editor' | 'owner' = 'editor', body?: object) =>
      api.as(caller).post(`${story.path}/versions/1/restore`, body);
    const shown = async () => (await api.as('viewer').get(story.path)).body;
    expect((await story.publish()).status).toBe(200);
    await editor.patch(section, { content: texts(['a', 'B']) });
    expect((await story.publish()).status).toBe(200);
    await setting(api, 'require');
    for (const index of [0, 1]) await story.decide(index);
    expect(await restore(), 'the approved text is another one').toMatchObject(required);
    expect(await shown()).toMatchObject({ publishedVersion: 2 });
    expect((await editor.get(`${story.path}?view=draft`)).body.sections[0]).toMatchObject({
      content: texts(['a', 'B']),
    });

    const override = { override: true, overrideReason: 'The numbers were wrong.' };
    expect(await restore('editor', override)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(issuesOf(await restore('owner', { override: true }))).toEqual(['/overrideReason REQUIRED']);
    expect(await restore('owner', override)).toMatchObject({ status: 200, body: { publishedVersion: 3 } });
    const { overrideReason } = override;
    expect((await editor.get(`${story.path}/versions/3`)).body).toMatchObject({ restoredFrom: 1, overrideReason });

    expect(await restore(), 'the text of the version, but no approval').toMatchObject(required);
    for (const index of [0, 1]) await story.decide(index);
    expect(await restore()).toMatchObject({ status: 200, body: { publishedVersion: 4 } });
    expect((await editor.get(`${story.path}/versions/4`)).body).toMatchObject({ overrideReason: null });
  });

  it('`advise` warns, and `off` does not', async ({ api }) => {
    const story = await givenReviewed(api);
    expect((await story.publish()).body.warnings).toEqual([]);
    await setting(api, 'advise');
    expect((await story.publish()).body).toMatchObject({
      version: 2,
      warnings: [{ code: 'REVIEW_ADVISED', sectionId: null }],
    });
    for (const index of [0, 1]) await story.decide(index);
    expect((await story.publish()).body).toMatchObject({ version: 3, warnings: [] });
    expect((await api.as('editor').patch('/api/workspaces/current', { storyReview: 'off' })).status).toBe(403);
    expect((await api.as('owner').patch('/api/workspaces/current', { storyReview: 'always' })).status).toBe(400);
  });
});

describe('followers of a story', () => {
  it('are counted, and readers see whether they are among them', async ({ api }) => {
    const story = await givenStory(api, texts(['a', 'A']));
    await api.as('editor').post(`${story.path}/publish`);
    const viewer = api.as('viewer');
    const shown = async (caller: 'editor' | 'viewer') => {
      const { following, followerCount } = (await api.as(caller).get(story.path)).body;
      return { following, followerCount };
    };
    expect(await shown('editor')).toEqual({ following: true, followerCount: 1 });
    expect(await shown('viewer')).toEqual({ following: false, followerCount: 1 });
    await viewer.put(`${story.path}/follow`);
    expect(await shown('viewer')).toEqual({ following: true, followerCount: 2 });
    await viewer.delete(`${story.path}/follow`);
    await api.as('editor').delete(`${story.path}/follow`);
    expect(await shown('editor')).toEqual({ following: false, followerCount: 0 });
  });
});
