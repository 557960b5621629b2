import { describe, expect } from 'vitest';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { type Api, it } from '../../../support/api.ts';
import { chart } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenProtected, SECRET_ROW, setAttributes } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenPublished, givenShare, publish } from '../../../support/given/shares.ts';
import { doc, type GivenStory, givenStory, paragraph, texts, valueParagraph } from '../../../support/given/stories.ts';

const SALES = `SELECT * FROM (VALUES ('North', 10), ('South', 20), ('South', 5)) AS t(region, amount)`;

const live = (id: string, source: object, title?: string) => ({
  type: 'liveBlock',
  attrs: { id, source, ...(title !== undefined && { title }) },
});
const slot = live('later', { kind: 'slot', label: 'Next week' });

const publishStory = async (api: Api, { path }: GivenStory) =>
  expect((await api.as('owner').post(`${path}/publish`)).status).toBe(200);

/** A published story with a card of a published dashboard, a chart, a slot, an inline value and a mention. */
async function givenShared(api: Api) {
  const { id: datasetId } = await givenDataset(api, { name: 'sales', sql: SALES });
  const dashboard = await givenPublished(api, datasetId);
  const source = { kind: 'dataset', id: datasetId };
  const chartSpec = chart({ source, measures: [{ column: 'amount', aggregation: 'sum', label: 'Amount' }] });
  const mention = { type: 'mention', attrs: { userId: newId(), label: 'Ada Lovelace' } };
  const story = await givenStory(
    api,
    doc(
      paragraph('p', 'Revenue grew.'),
      valueParagraph('v', 'value', '1,250'),
      { type: 'paragraph', attrs: { id: 'm' }, content: [mention] },
      live('by-region', { kind: 'card', dashboardId: dashboard.id, cardId: 'regions' }, 'Regions'),
      live('total', { kind: 'chart', chartSpec }),
      slot,
    ),
  );
  await publishStory(api, story);
  return { story, dashboard, source };
}

const share = (api: Api, id: string, more: object = {}) => givenShare(api, id, { contentType: 'story', ...more });
const notFound = { status: 404, body: { code: 'SHARE_NOT_FOUND' } };

describe('a link to a story', () => {
  it('opens the published texts without sources, inline values and names, and its live blocks as cards', async ({
    api,
  }) => {
    const { story, dashboard, source } = await givenShared(api);
    await api.as('editor').post('/api/comments', { resourceType: 'story', resourceId: story.id, content: 'SECRET' });
    await api.as('editor').patch(`${story.path}/sections/${story.sections[0]}`, { title: 'SECRET-DRAFT' });
    const { reader, token } = await share(api, story.id);
    expect((await reader.link()).body).toMatchObject({
      contentType: 'story',
      title: 'Weekly',
      passwordRequired: false,
    });
    const { body } = await reader.post('content', {});
    expect(body).toMatchObject({
      contentType: 'story',
      title: 'Weekly',
      sections: [{ id: story.sections[0], title: 'Section 1' }],
      cards: [
        { id: 'by-region', title: 'Regions', hasRows: true },
        { id: 'total', hasRows: true },
      ],
      pages: [],
      filters: [],
    });
    const content = JSON.stringify(body.sections[0].content);
    expect(content).toContain('Revenue grew.');
    for (const hidden of ['1,250', 'Ada', 'SECRET', dashboard.id, source.id, '"query"']) {
      expect(JSON.stringify(body), hidden).not.toContain(hidden);
    }
    const page = (await api.as('anonymous').get(`/api/s/${token}`)).body;
    expect(page).toContain('Revenue grew.');
    expect(page).toContain('id="card-by-region"');
    for (const hidden of ['1,250', 'Ada', 'SECRET', dashboard.id, source.id]) expect(page).not.toContain(hidden);
    expect(await reader.rows('by-region')).toEqual([
      ['North', '10'],
      ['South', '25'],
    ]);
    expect(await reader.rows('total')).toEqual([['35']]);
    for (const cardId of ['later', 'regions', 'p']) {
      expect(await reader.post('card-data', { cardId })).toMatchObject({ body: { code: 'DASHBOARD_CARD_NOT_FOUND' } });
    }
    expect(await reader.post('report-block-data', { blockId: 'total' })).toMatchObject({
      body: { code: 'REPORT_BLOCK_NOT_FOUND' },
    });
    expect((await api.as('anonymous').get(`/api/comments/story/${story.id}?token=${token}`)).status).toBe(401);
  });

  it('applies the filters of the dashboard of a card, and shows no card that the dashboard does not', async ({
    api,
  }) => {
    const { story, dashboard } = await givenShared(api);
    const { reader } = await share(api, story.id);
    const filters = [{ fieldId: 'region', op: 'eq', values: ['North'] }];
    expect(await reader.rows('by-region', { filters })).toEqual([['North', '10']]);
    await api.as('editor').delete(`${dashboard.path}/cards/regions`);
    await publish(api, dashboard.path);
    expect((await reader.post('content', {})).body.cards).toMatchObject([{ id: 'total' }]);
    expect((await reader.post('card-data', { cardId: 'by-region' })).status).toBe(404);
  });

  it('ends by its expiry, its deletion and that of the story, and needs its password', async ({ api }) => {
    const { story } = await givenShared(api);
    const password = 'a long password';
    const locked = await share(api, story.id, { shareType: 'password', password });
    expect((await locked.reader.link()).body).toMatchObject({ title: null, passwordRequired: true });
    expect(await locked.reader.post('content', {})).toMatchObject({ body: { code: 'SHARE_PASSWORD' } });
    expect((await locked.reader.post('content', { password })).status).toBe(200);
    const { id, reader } = await share(api, story.id);
    expect((await api.as('owner').delete(`/api/shares/${id}`)).status).toBe(204);
    expect(await reader.post('content', {})).toMatchObject(notFound);
    expect((await api.as('editor').delete(story.path)).status).toBe(204);
    expect(await locked.reader.post('content', { password })).toMatchObject(notFound);
    await api.as('editor').post(`${story.path}/restore`);
    expect((await locked.reader.post('content', { password })).status).toBe(200);
    await api.as('editor').post(`${story.path}/archive`, { archived: true });
    expect((await locked.reader.post('content', { password })).status).toBe(200);
  });

  it('is made for published stories of the workspace only', async ({ api }) => {
    const draft = await givenStory(api, texts(['a', 'A']));
    const given = { contentType: 'story', contentId: draft.id };
    for (const path of ['/api/shares', '/api/embed/tokens']) {
      const body = path === '/api/shares' ? { ...given, shareType: 'public' } : given;
      expect(await api.as('owner').post(path, body)).toMatchObject({
        status: 403,
        body: { code: 'STORY_NOT_PUBLISHED' },
      });
      expect(await api.as('owner').post(path, { ...body, contentId: newId() })).toMatchObject({
        status: 404,
        body: { code: 'STORY_NOT_FOUND' },
      });
      expect(await api.as('stranger').post(path, body)).toMatchObject({
        status: 404,
        body: { code: 'STORY_NOT_FOUND' },
      });
    }
  });
});

describe('a link to a story with protected rows', () => {
  const given = async (api: Api) => {
    const staff = await givenProtected(api);
    await setAttributes(api, (await api.as('owner').get('/api/auth/me')).body.user.id, { region: ['us'] });
    const chartSpec = chart({
      source: { kind: 'model', id: staff.model.id },
      dimensions: [{ fieldId: staff.field.name, label: 'Name' }],
    });
    const rows = (id: string) => live(id, { kind: 'chart', chartSpec });
    const story = await givenStory(api, texts(['a', 'Open to all.']), texts(['b', 'b']));
    const [first, second] = story.sections.map((id) => `${story.path}/sections/${id}`) as [string, string];
    return { story, rows, first, second };
  };

  it('shows restricted sections only to readers with the rights of their author, and rows as their rights say', async ({
    api,
  }) => {
    const { story, rows, second } = await given(api);
    const content = doc(paragraph('b', 'SECRET-TEXT of us'), rows('names'));
    expect((await api.as('owner').patch(second, { content })).status).toBe(200);
    expect((await api.as('owner').put(`${second}/visibility`, { visibility: 'data_access' })).status).toBe(200);
    await publishStory(api, story);

    const open = await share(api, story.id);
    const seen = (await open.reader.post('content', {})).body;
    expect(seen.sections.map(({ id }: { id: string }) => id)).toEqual([story.sections[0]]);
    expect(JSON.stringify(seen)).not.toContain('SECRET-TEXT');
    expect((await open.reader.post('card-data', { cardId: 'names' })).status).toBe(404);

    const withRegion = (region: string) => ({ shareType: 'rls', rlsContext: { attributes: { region: [region] } } });
    const same = await share(api, story.id, withRegion('us'));
    expect(JSON.stringify((await same.reader.post('content', {})).body)).toContain('SECRET-TEXT');
    expect(await same.reader.rows('names')).toEqual([[SECRET_ROW]]);
    const other = await share(api, story.id, withRegion('eu'));
    expect(JSON.stringify((await other.reader.post('content', {})).body)).not.toContain('SECRET-TEXT');
    const embedded = (region: string) =>
      givenEmbedToken(api, story.id, { contentType: 'story', attributes: { region: [region] } });
    expect(JSON.stringify((await (await embedded('us')).reader.post('content', {})).body)).toContain('SECRET-TEXT');
    expect(JSON.stringify((await (await embedded('eu')).reader.post('content', {})).body)).not.toContain('SECRET-TEXT');
  });

  it('must carry attributes, also for blocks that come later', async ({ api }) => {
    const { story, rows, first } = await given(api);
    await publishStory(api, story);
    const { reader } = await share(api, story.id);
    const content = doc(paragraph('a', 'Open to all.'), rows('names'));
    expect((await api.as('owner').patch(first, { content })).status).toBe(200);
    await publishStory(api, story);
    const refused = { status: 409, body: { code: 'RLS_SHARE_REQUIRED' } };
    const body = { contentType: 'story', contentId: story.id, shareType: 'public' };
    expect(await api.as('owner').post('/api/shares', body)).toMatchObject(refused);
    expect(await reader.post('card-data', { cardId: 'names' })).toMatchObject(refused);
    const eu = await share(api, story.id, { shareType: 'rls', rlsContext: { attributes: { region: ['eu'] } } });
    expect(await eu.reader.rows('names')).toEqual([['Ann'], ['Bob'], ['Cid']]);
  });
});
