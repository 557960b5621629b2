import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { scripted } from '../../../support/given/language-model.ts';
import { givenProtectedText, HIDDEN } from '../../../support/given/protected-stories.ts';
import { doc, givenStory, paragraph, texts, valueParagraph } from '../../../support/given/stories.ts';

const WRITTEN = 'Forty people left the northern team. The south has grown by a half.';

/** A story with a text beside protected rows, of which the language model has written another one. */
async function given(api: Api) {
  const { key } = await scripted({ text: WRITTEN });
  const { content, reader } = await givenProtectedText(api, `${key} was 40.`);
  const story = await givenStory(api, content, texts(['b', 'Open']));
  const editor = api.as('editor');
  const rewritten = await editor.post(`${story.path}/ai/rewrite`, { text: `${key} was 40.`, action: 'expand' });
  expect(rewritten, JSON.stringify(rewritten.body)).toMatchObject({ status: 200, body: { text: WRITTEN } });
  const [peer, other] = [await reader('eu'), await reader('us')];
  for (const { userId } of [peer, other])
    await api.as('owner').put(`${story.path}/access/user/${userId}`, { permission: 'viewer' });
  const shown = async (caller: typeof peer.caller, id: string) =>
    (await caller.get(story.path)).body.sections.find((section: { id: string }) => section.id === id);
  return { story, editor, peer, other, shown, section: `${story.path}/sections/${story.sections[1]}` };
}

describe('a text that a language model has written from protected rows', () => {
  it('keeps these rights in a section that a person adds as their own, without live blocks', async ({ api }) => {
    const { story, editor, peer, other, shown } = await given(api);
    const add = (words: string) =>
      editor.post(`${story.path}/sections`, { content: doc(paragraph('c', words)), source: 'manual' });
    const added = await add('We know this: so far. the SOUTH, has grown by a half!');
    expect(added, JSON.stringify(added.body)).toMatchObject({
      status: 201,
      body: { source: 'manual', visibility: 'data_access' },
    });
    expect(await shown(other.caller, added.body.id)).toMatchObject(HIDDEN);
    expect(await shown(peer.caller, added.body.id)).toMatchObject({ id: added.body.id, visibility: 'data_access' });
    await editor.delete(`${story.path}/sections/${added.body.id}`);
    expect((await add('The weather was fine in all regions.')).body).toMatchObject({ visibility: 'everyone' });
  });

  it('keeps them in a section that a person edits, until the section is opened', async ({ api }) => {
    const { story, editor, other, shown, section } = await given(api);
    const edit = (words: string) => editor.patch(section, { content: texts(['b', words]), source: 'manual' });
    expect((await edit('A text of my own.')).body).toMatchObject({ visibility: 'everyone' });
    const { revision } = (await editor.get(story.path)).body;
    expect((await edit(`A text of my own. ${WRITTEN}`)).body).toMatchObject({ visibility: 'data_access' });
    // The story has changed too, so that a version that was read before it cannot be published after it.
    expect((await editor.get(story.path)).body.revision).toBe(revision + 1);
    expect((await edit(`A text of our own. ${WRITTEN}`)).body).toMatchObject({ visibility: 'data_access' });
    expect((await editor.get(story.path)).body.revision).toBe(revision + 1);
    expect(await shown(other.caller, story.sections[1]!)).toMatchObject(HIDDEN);
    expect(await editor.put(`${section}/visibility`, { visibility: 'everyone' })).toMatchObject({
      status: 409,
      body: { code: 'SECTION_NEEDS_DATA_ACCESS' },
    });
    const open = { visibility: 'everyone', confirm: true };
    expect((await editor.put(`${section}/visibility`, open)).status).toBe(200);
    expect((await edit(`A text of mine. ${WRITTEN}`)).body, 'the decision lasts').toMatchObject({
      visibility: 'everyone',
    });
    expect((await editor.patch(section, { title: 'Forty people left the northern team' })).body).toMatchObject({
      visibility: 'everyone',
    });
  });

  it('is recognised as a title, and after a refresh of numbers', async ({ api }) => {
    const { editor, section } = await given(api);
    const titled = await editor.patch(section, { title: 'The south has grown by a half' });
    expect(titled.body).toMatchObject({ visibility: 'data_access' });

    const answer = { paragraphs: [{ blockId: 'v', text: 'It fell deep below the plan, to {{n}} people.' }] };
    const { key } = await scripted({ text: JSON.stringify(answer) });
    const { sections, path } = await givenStory(api, doc(valueParagraph('v', 'n', '1,250', `${key} grew to `)));
    const refreshed = await editor.post(`${path}/sections/${sections[0]}/ai/refresh`, {
      paragraphs: [{ blockId: 'v', text: `${key} grew to {{n}}.` }],
      changes: [{ valueId: 'n', from: '1,250', to: '12' }],
    });
    expect(refreshed, JSON.stringify(refreshed.body)).toMatchObject({ status: 200, body: answer });
    const added = await editor.post(`${path}/sections`, {
      content: texts(['w', 'It fell deep below the plan, to 12 people.']),
    });
    expect(added.body).toMatchObject({ source: 'manual', visibility: 'data_access' });
  });
});
