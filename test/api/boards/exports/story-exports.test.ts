import { describe, expect } from 'vitest';
import { EXPORT_MEDIA_TYPES } from '../../../../shared/domains/boards/exports/index.ts';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { loseDataset } from '../../../support/given/lost.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtected, givenReader, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { published } from '../../../support/given/snapshots.ts';
import {
  cardBlock,
  chartBlock,
  doc,
  type GivenStory,
  givenStory,
  liveBlock,
  paragraph,
} from '../../../support/given/stories.ts';
import { pdfText, zipText } from '../../../support/read-files.ts';

type Format = 'pdf' | 'docx';

const exported = (caller: Caller, { path }: Pick<GivenStory, 'path'>, format: Format, body: object = {}) =>
  caller.post(`${path}/export`, { format, ...body }, { headers: { accept: EXPORT_MEDIA_TYPES[format] } });

/** The words of the file, whatever they look like. */
async function textOf(caller: Caller, story: Pick<GivenStory, 'path'>, format: Format, body?: object) {
  const reply = await exported(caller, story, format, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.headers.get('content-type')).toBe(EXPORT_MEDIA_TYPES[format]);
  return format === 'pdf' ? pdfText(reply.bytes) : (await zipText(reply.bytes)).replaceAll(/<[^>]+>/g, '');
}

const byKey = (id: string) => ({
  source: { kind: 'dataset', id },
  dimensions: [{ column: 'k' }],
  measures: [{ column: 'n', aggregation: 'sum', label: 'n' }],
  sort: [{ column: 'k' }],
});
const stock = (api: Api, n: number) =>
  givenDataset(api, { name: 'stock', sql: `SELECT * FROM (VALUES ('apples', ${n}), ('pears', 2)) AS t(k, n)` });

const valueOfRow = (id: string, written: string) => ({
  type: 'paragraph',
  attrs: { id },
  content: [
    { type: 'text', text: 'Apples in stock: ' },
    { type: 'value', attrs: { id: 'apples', source: { blockId: 'stock', measure: 'n' }, written } },
  ],
});

describe('POST /api/stories/{id}/export', () => {
  it('writes the published text with its live blocks and values, and the draft for those who see it', async ({
    api,
  }) => {
    const { id } = await stock(api, 1250);
    const story = await givenStory(
      api,
      doc(paragraph('intro', 'We sold fruit.'), chartBlock('stock', byKey(id)), valueOfRow('value', '7')),
    );
    const before = await textOf(api.as('editor'), story, 'docx');
    expect(before).toContain('We sold fruit.');
    await published(api.as('owner'), story);
    const gif = { headers: { accept: 'image/gif' } };
    expect(await api.as('viewer').post(`${story.path}/export`, { format: 'pdf' }, gif)).toMatchObject({
      status: 406,
      body: { code: 'NOT_ACCEPTABLE' },
    });
    const section = `${story.path}/sections/${story.sections[0]}`;
    const added = doc(paragraph('intro', 'We sold vegetables.'), chartBlock('stock', byKey(id)));
    expect((await api.as('editor').patch(section, { content: added })).status).toBe(200);

    for (const format of ['pdf', 'docx'] as const) {
      for (const view of [undefined, 'draft']) {
        const text = await textOf(api.as('viewer'), story, format, { view });
        for (const words of ['Weekly', 'Section 1', 'We sold fruit.', 'apples', 'Apples in stock: 1,250'])
          expect(text, format).toContain(words);
        expect(text).not.toContain('vegetables');
      }
      expect(await textOf(api.as('editor'), story, format, { view: 'draft' })).toContain('We sold vegetables.');
      expect(await textOf(api.as('editor'), story, format)).not.toContain('vegetables');
    }

    const link = await api.as('viewer').post(`${story.path}/export`, { format: 'docx', theme: 'dark' });
    expect(link.body).toMatchObject({ contentType: EXPORT_MEDIA_TYPES.docx, bytes: expect.any(Number) });
    const downloaded = await fetch(link.body.downloadUrl);
    expect(downloaded.headers.get('content-disposition')).toContain('Weekly.docx');
    const log = await api.as('owner').get('/api/audit-log?action=story.exported');
    expect(log.body.items[0]).toMatchObject({
      object: { type: 'story', id: story.id, name: 'Weekly' },
      after: { format: 'docx', failedCards: 0 },
    });
  });

  it('has only what its reader may see: own rows, no hidden sections, no other dashboards, no comments', async ({
    api,
  }) => {
    const { dataset } = await givenProtected(api);
    const people = { source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'name' }] };
    const board = await givenCards(api, [card('salaries', chart(people), { title: 'Card of a draft' })]);
    const story = await givenStory(
      api,
      doc(paragraph('open', 'Everyone reads this.'), chartBlock('people', people)),
      doc(paragraph('hidden', 'Only some read this.'), chartBlock('more', people)),
      doc(cardBlock('card', board.id, 'salaries'), liveBlock('slot', { kind: 'slot', label: 'Later' })),
    );
    const hidden = `${story.path}/sections/${story.sections[1]}/visibility`;
    expect((await api.as('owner').put(hidden, { visibility: 'data_access' })).status).toBe(200);
    await published(api.as('owner'), story);
    await posted(api, '/api/comments', {
      ...{ resourceType: 'story', resourceId: story.id, content: 'A word beside the text' },
    });
    const [eu, us] = [
      await givenReader(api, { role: 'viewer', attributes: { region: 'eu' } }),
      await givenReader(api, { role: 'viewer', attributes: { region: 'us' } }),
    ];
    for (const format of ['pdf', 'docx'] as const) {
      const reply = await exported(eu.caller, story, format);
      // The card of a dashboard that is not published, and the slot.
      expect(reply.headers.get('x-failed-cards')).toBe('2');
      const seen = await textOf(eu.caller, story, format);
      for (const words of ['Everyone reads this.', 'Ann', 'Bob', 'that you may not see', 'Nothing has been chosen'])
        expect(seen, format).toContain(words);
      for (const words of [SECRET_ROW, SECRET_COLUMN, 'Only some', 'Section 2', 'Card of a draft', 'A word beside'])
        expect(seen, format).not.toContain(words);
      const other = await textOf(us.caller, story, format);
      expect(other).toContain(SECRET_ROW);
      expect(other).not.toContain('Ann');
    }
  });

  it('writes the rows and values of a snapshot', async ({ api }) => {
    const { id } = await stock(api, 1250);
    const { id: storyId } = await posted(api, '/api/stories', {
      title: 'Stock',
      mode: 'snapshot',
      sections: [{ content: doc(chartBlock('stock', byKey(id)), valueOfRow('value', '7')) }],
    });
    const story = { id: storyId, path: `/api/stories/${storyId}`, sections: [] };
    await published(api.as('editor'), story);
    await stock(api, 77_777);
    for (const format of ['pdf', 'docx'] as const) {
      const text = await textOf(api.as('viewer'), story, format);
      const draft = await textOf(api.as('editor'), story, format, { view: 'draft' });
      expect(text).toContain('Apples in stock: 1,250');
      expect(draft).toContain('Apples in stock: 77,777');
      expect(text).not.toMatch(/77,?777/);
      expect(draft).not.toMatch(/1,250/);
    }
  });

  it('reports blocks that fail, and contains the others', async ({ api }) => {
    const { id } = await stock(api, 1);
    const story = await givenStory(api, doc(paragraph('intro', 'We sold fruit.'), chartBlock('stock', byKey(id))));
    await loseDataset(api, id);
    const reply = await exported(api.as('editor'), story, 'docx');
    expect(reply.headers.get('x-failed-cards')).toBe('1');
    expect(await zipText(reply.bytes)).toContain('We sold fruit.');
  });

  it('is for viewers only if the workspace allows it, and for those who see the story', async ({ api }) => {
    const story = await givenStory(api, doc(paragraph('intro', 'We sold fruit.')));
    const failed = async (caller: 'editor' | 'viewer' | 'stranger', body: object = {}) => {
      const reply = await api.as(caller).post(`${story.path}/export`, { format: 'pdf', ...body });
      return [reply.status, reply.body.code];
    };
    // Not published.
    expect(await failed('viewer')).toEqual([404, 'STORY_NOT_FOUND']);
    expect(await failed('stranger')).toEqual([404, 'STORY_NOT_FOUND']);
    await published(api.as('owner'), story);
    expect(await failed('viewer')).toEqual([200, undefined]);
    expect(await failed('stranger')).toEqual([404, 'STORY_NOT_FOUND']);
    await api.as('owner').patch('/api/workspaces/current', { viewersMayExport: false });
    expect(await failed('viewer')).toEqual([403, 'EXPORT_TURNED_OFF']);
    expect(await failed('editor')).toEqual([200, undefined]);
    expect(await failed('editor', { timeoutMs: 1 })).toEqual([408, 'EXPORT_TOO_SLOW']);
    expect(await failed('editor', { format: 'xlsx' })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await failed('editor', { view: 'none' })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await failed('editor', { timezone: 'Mars/Base' })).toEqual([400, 'VALIDATION_FAILED']);
    await api.as('editor').delete(story.path);
    expect(await failed('editor')).toEqual([404, 'STORY_NOT_FOUND']);
  });
});
