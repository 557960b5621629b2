import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { textCard } from '../../../support/given/dashboard.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { chartBlock, doc, givenStory, paragraph } from '../../../support/given/stories.ts';
import { certificationOf, done } from './certified-kinds.ts';

describe('deprecations', () => {
  it('are reported when what shows the object is published', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Secret turnover' });
    const value = { id: 'v', source: { metricId: metric.id }, written: '1' };
    const block = { ...paragraph('b', 'It is '), content: [{ type: 'value', attrs: value }] };
    const story = await givenStory(api, doc(paragraph('a', 'One'), block));
    const shown = card('a', chart({ source: { kind: 'metric', id: metric.id } }), { title: 'Turnover' });
    const board = await givenCards(api, [textCard('t'), shown]);
    const publish = async ({ path }: { path: string }) => {
      const { status, body } = await api.as('editor').post(`${path}/publish`, {});
      expect(status, JSON.stringify(body)).toBe(200);
      return body.warnings.filter(({ code }: { code: string }) => code === 'DEPRECATED_SOURCE');
    };
    expect([await publish(story), await publish(board)]).toEqual([[], []]);
    const removeAfter = new Date(Date.now() + 86_400_000).toISOString();
    const deprecated = { status: 'deprecated', note: 'Old', removeAfter };
    await done(api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), deprecated), 'deprecate');
    const message = `The metric should no longer be used, and will be removed after ${removeAfter.slice(0, 10)}.`;
    expect(await publish(story)).toEqual([{ code: 'DEPRECATED_SOURCE', sectionId: story.sections[0], message }]);
    expect(await publish(board)).toEqual([{ code: 'DEPRECATED_SOURCE', cardId: 'a', cardTitle: 'Turnover', message }]);
  });

  it('are noticed by readers of cards and live blocks, but not by readers of links', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Turnover' });
    const query = { source: { kind: 'metric', id: metric.id } };
    const board = await givenCards(api, [card('a', chart(query))]);
    const story = await givenStory(api, doc(chartBlock('b', query)));
    const viewer = api.as('viewer');
    await done(api.as('editor').post(`${board.path}/publish`, {}), 'publish');
    await done(api.as('editor').post(`${story.path}/publish`, {}), 'publish');
    const share = await api.as('owner').post('/api/shares', {
      ...{ contentType: 'dashboard', contentId: board.id, shareType: 'public' },
    });
    const notices = async () => {
      const [one, many, block, shared] = await Promise.all([
        viewer.post(`${board.path}/cards/a/data`, {}),
        viewer.post(`${board.path}/data`, {}),
        api.as('editor').post(`${story.path}/blocks/b/data`, {}),
        api.as('anonymous').post(`/api/shares/${share.body.token}/card-data`, { cardId: 'a' }),
      ]);
      for (const { status, body } of [one, many, block, shared]) expect(status, JSON.stringify(body)).toBe(200);
      return [one.body.notices, many.body.cards[0].data.notices, block.body.notices, shared.body.notices];
    };
    expect(await notices()).toEqual([undefined, undefined, undefined, undefined]);
    await done(
      api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), { status: 'deprecated', note: 'Old' }),
      'deprecate',
    );
    const notice = [{ code: 'DEPRECATED_SOURCE', message: 'The metric should no longer be used.' }];
    expect(await notices()).toEqual([notice, notice, notice, undefined]);
    await done(api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), { status: 'none' }), 'withdraw');
    expect(await notices()).toEqual([undefined, undefined, undefined, undefined]);
  });
});
