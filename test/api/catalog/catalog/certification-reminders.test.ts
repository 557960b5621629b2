import { describe, expect } from 'vitest';
import { ANNOUNCEMENT_PARTITION, announceItemAt } from '../../../../shared/domains/delivery/notifications/index.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { type Actor, it } from '../../../support/api.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { clockOf } from '../../../support/given/notifications.ts';
import { certificationOf, dag, done } from './certified-kinds.ts';

describe('reminders of certifications', () => {
  it('reach those who certified an object or answer for it 14 and 3 days before the end, while it lasts', async ({
    api,
  }) => {
    const { definition, modelId, revenue } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const day = 86_400_000;
    const set = (certified: Parameters<typeof certificationOf>[0], inDays: number) => {
      const expiresAt = new Date(Date.now() + inDays * day).toISOString();
      const body = { status: 'certified', certifiedBy: 'Finance', expiresAt };
      return done(api.as('owner').put(certificationOf(certified), body), 'certify').then(() => expiresAt.slice(0, 10));
    };
    const measured = await set({ type: 'measure', id: revenue, modelId }, 10);
    await set({ type: 'metric', id: metric.id }, 40);
    // Renewed: only the later end counts.
    const until = await set({ type: 'metric', id: metric.id }, 30);
    const clock = clockOf(api);
    const pass = async (days: number) => {
      clock.pass(days * 24 * 60 * 60);
      for await (const { pk, sk } of dueItems(clock.table, ANNOUNCEMENT_PARTITION, clock.now))
        if (pk.startsWith(`W#${api.workspaceId}#`)) await announceItemAt(clock.table, { pk, sk }, () => false);
    };
    const told = async (actor: Actor) => {
      const { items } = (await api.as(actor).get('/api/dashboard-alerts/feed?kinds=all')).body;
      return items.map(({ title, text }: { title: string; text: string }) => `${title}: ${text}`);
    };
    await pass(6);
    expect(await told('owner')).toEqual([]);
    await pass(2);
    const ofMeasure = `A certification ends in 3 days: Certified by Finance until ${measured}.`;
    expect(await told('owner')).toEqual([ofMeasure]);
    await pass(9);
    const first = `A certification ends in 14 days: Certified by Finance until ${until}.`;
    expect(await told('owner')).toEqual([first, ofMeasure]);
    expect(await told('editor')).toEqual([first, ofMeasure]);
    expect(await told('viewer')).toEqual([]);
    await pass(11);
    const second = `A certification ends in 3 days: Certified by Finance until ${until}.`;
    expect(await told('editor')).toEqual([second, first, ofMeasure]);
    // What has been withdrawn does not end.
    await done(api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), { status: 'none' }), 'withdraw');
    expect(await told('editor')).toEqual([ofMeasure]);
  });

  it('of pipelines and terms come too', async ({ api }) => {
    const clock = clockOf(api);
    const pipeline = await posted(api, '/api/pipelines', { name: 'Nightly', dag: dag('SELECT 1 AS a') });
    const term = await posted(api, '/api/catalog/terms', { name: 'Turnover', definition: 'What customers pay.' });
    const expiresAt = new Date(Date.now() + 10 * 86_400_000).toISOString();
    for (const [type, { id }] of [
      ['pipeline', pipeline],
      ['term', term],
    ] as const)
      await done(
        api.as('owner').put(certificationOf({ type, id }), { status: 'certified', certifiedBy: 'Finance', expiresAt }),
        'certify',
      );
    clock.pass(8 * 24 * 60 * 60);
    for await (const { pk, sk } of dueItems(clock.table, ANNOUNCEMENT_PARTITION, clock.now))
      if (pk.startsWith(`W#${api.workspaceId}#`)) await announceItemAt(clock.table, { pk, sk }, () => false);
    for (const actor of ['owner', 'editor'] as const) {
      const { items } = (await api.as(actor).get('/api/dashboard-alerts/feed?kinds=all')).body;
      expect(items.map(({ subject }: { subject: object }) => subject)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'pipeline', id: pipeline.id, name: 'Nightly' }),
          expect.objectContaining({ type: 'term', id: term.id, name: 'Turnover' }),
        ]),
      );
    }
  });
});
