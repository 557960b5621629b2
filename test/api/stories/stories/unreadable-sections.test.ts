import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenLabel, givenReader } from '../../../support/given/protected.ts';
import { givenProtectedText, HIDDEN } from '../../../support/given/protected-stories.ts';
import { chartBlock, doc, givenGrantee, givenStory, paragraph } from '../../../support/given/stories.ts';

const hidden = { status: 403, body: { code: 'SECTION_HIDDEN' } };

/** A restricted section whose model is deleted, so that only its author can read it. */
async function givenUnreadable(api: Api) {
  await givenDataset(api, { name: 'people', sql: "SELECT 'eu' AS region" });
  const model = await givenModel(api, { name: 'Staff' });
  const table = await givenTable(api, model.path, 'people');
  await givenField(api, table.path, 'region');
  const margin = await givenField(api, table.path, 'margin', { fieldType: 'calculated', expression: '[region]' });
  await givenLabel(api, table.path, margin, 'Private');
  const author = await givenReader(api, { attributes: { sensitivityLabels: ['Private'] } });
  const block = chartBlock('rows', { source: { kind: 'model', id: model.id } });
  const story = await givenStory(api, doc(paragraph('a', 'Empty'), block), doc(paragraph('b', 'Other')));
  const section = `${story.path}/sections/${story.sections[0]}`;
  const words = doc(paragraph('a', 'SECRET 41'));
  expect((await author.caller.patch(section, { content: words })).status).toBe(200);
  expect((await author.caller.put(`${section}/visibility`, { visibility: 'data_access' })).status).toBe(200);
  expect((await api.as('owner').delete(model.path)).status).toBe(204);
  return { story, section, author };
}

describe('a section that only its author can read', () => {
  it('is deleted by editors of the story, who do not get to see its text or its comments', async ({ api }) => {
    const { story, section, author } = await givenUnreadable(api);
    const editor = api.as('editor');
    const at = { resourceType: 'story', resourceId: story.id };
    const context = { kind: 'section', sectionId: story.sections[0] };
    const said = await author.caller.post('/api/comments', { ...at, context, content: 'SECRET too' });
    expect(said.status, JSON.stringify(said.body)).toBe(201);
    expect((await editor.get(section)).body).toMatchObject(HIDDEN);
    const contributor = await givenGrantee(api, story, 'contributor');
    expect(await contributor.caller.delete(section)).toMatchObject(hidden);
    expect((await api.as('stranger').delete(section)).status).toBe(404);
    const edited = await editor.patch(section, { content: doc(paragraph('a', 'Mine')) });
    expect(edited, 'its text is not replaced unseen').toMatchObject(hidden);

    const reply = await editor.delete(section);
    expect(reply).toMatchObject({ status: 204 });
    expect((await editor.get(story.path)).body.sections).toHaveLength(1);
    const kept = await editor.get(`${section}/revisions`);
    const all = [reply, kept, await editor.get(`/api/comments/story/${story.id}`), await editor.get(story.path)];
    expect(JSON.stringify(all.map(({ body }) => body))).not.toContain('SECRET');
    const [revision] = kept.body.items.filter(({ reason }: { reason: string }) => reason === 'removed');
    expect(await editor.get(`${section}/revisions/${revision.id}`)).toMatchObject({ status: 404 });
    expect((await author.caller.get(`${section}/revisions/${revision.id}`)).body).toMatchObject({ title: 'Section 1' });
    expect((await editor.delete(section)).status, 'a second time').toBe(404);
  });

  it('is another one than a section that others can read', async ({ api }) => {
    const { content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, content);
    const section = `${story.path}/sections/${story.sections[0]}`;
    await api.as('editor').put(`${section}/visibility`, { visibility: 'data_access' });
    const other = await reader('us', 'editor');
    expect(await other.caller.delete(section)).toMatchObject(hidden);
    const peer = await reader('eu', 'editor');
    expect(await peer.caller.delete(section)).toMatchObject({ status: 204 });
  });
});
