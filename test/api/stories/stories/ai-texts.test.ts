import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { scripted } from '../../../support/given/language-model.ts';
import { givenLabel, givenProtected } from '../../../support/given/protected.ts';
import { givenProtectedText } from '../../../support/given/protected-stories.ts';
import { doc, givenStory, paragraph, texts, valueParagraph } from '../../../support/given/stories.ts';

const refused = { status: 403, body: { code: 'AI_ROWS_PROTECTED' } };
const OPEN = 'The weather was fine in all regions.';

/** A story with a text beside protected rows, and an open one. */
async function given(api: Api) {
  const { key } = await scripted({ text: 'It was fine.' });
  const { content, block } = await givenProtectedText(api, 'Revenue was 40 in the north.');
  const story = await givenStory(api, content, texts(['b', `${key}! ${OPEN}`]));
  const editor = api.as('editor');
  const rewrite = (text: string) => editor.post(`${story.path}/ai/rewrite`, { text, action: 'shorten' });
  return { story, editor, rewrite, key, block };
}

describe('a text that may quote protected rows', () => {
  it('is not sent to the language model, as it stands nor in other words', async ({ api }) => {
    const { rewrite, key } = await given(api);
    for (const text of [
      'Revenue was 40 in the north.',
      'Revenue was 40',
      `${key}, and revenue was 40.`,
      'Forty it was.',
    ])
      expect(await rewrite(text), text).toMatchObject(refused);
    for (const text of [`${key}! ${OPEN}`, `${key} the WEATHER was fine`])
      expect(await rewrite(text), text).toMatchObject({ status: 200, body: { text: 'It was fine.' } });
  });

  it('counts after its rows were removed, also with its section, until the section is opened', async ({ api }) => {
    const { story, editor, rewrite, key } = await given(api);
    const path = `${story.path}/sections/${story.sections[0]}`;
    const text = `${key} was 40 in the north.`;
    expect((await editor.patch(path, { content: texts(['a', text]) })).status).toBe(200);
    expect(await rewrite(text)).toMatchObject(refused);
    expect((await editor.put(`${path}/visibility`, { visibility: 'data_access' })).status).toBe(200);
    expect((await editor.delete(path)).status).toBe(204);
    expect(await rewrite(text)).toMatchObject(refused);
  });

  it('is open in a story without protected rows, and no longer once they are protected', async ({ api }) => {
    const { key } = await scripted({ text: 'It was fine.' });
    const staff = await givenProtected(api);
    const chartSpec = {
      version: 1,
      query: { source: { kind: 'dataset', id: staff.dataset.id } },
      mark: { type: 'table' },
    };
    const block = { type: 'liveBlock', attrs: { id: 'rows', source: { kind: 'chart', chartSpec } } };
    const open = await givenStory(api, texts(['a', 'Text']));
    const asked = { text: `${key} was 40.`, action: 'expand' };
    expect((await api.as('editor').post(`${open.path}/ai/rewrite`, asked)).status).toBe(200);
    const content = doc(paragraph('a', 'Text'), block);
    await api.as('editor').patch(`${open.path}/sections/${open.sections[0]}`, { content });
    expect(await api.as('editor').post(`${open.path}/ai/rewrite`, asked)).toMatchObject(refused);
    await givenLabel(api, staff.table.path, staff.field.name, 'Private');
    expect(await api.as('owner').post(`${open.path}/ai/rewrite`, asked)).toMatchObject(refused);
  });

  it('is not refreshed', async ({ api }) => {
    const answer = { paragraphs: [{ blockId: 'v', text: 'It fell to {{n}} people.' }] };
    const { key } = await scripted({ text: JSON.stringify(answer) });
    const { block } = await givenProtectedText(api);
    const value = valueParagraph('v', 'n', '1,250', `${key} grew to `);
    const story = await givenStory(api, doc(value, block));
    const refresh = {
      paragraphs: [{ blockId: 'v', text: `${key} grew to {{n}}.` }],
      changes: [{ valueId: 'n', from: '1,250', to: '12' }],
    };
    const path = `${story.path}/sections/${story.sections[0]}/ai/refresh`;
    expect(await api.as('editor').post(path, refresh)).toMatchObject(refused);
  });

  it('of another model, as its author declares, is for those with the rights of its author', async ({ api }) => {
    const { story, editor, block } = await given(api);
    const content = doc(paragraph('c', 'Forty people left.'), { ...block, attrs: { ...block.attrs, id: 'more' } });
    const added = await editor.post(`${story.path}/sections`, { content, source: 'ai' });
    expect(added.body).toMatchObject({ source: 'ai', visibility: 'data_access' });
  });
});
