import { describe, expect } from 'vitest';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { type Certified, certificationOf, done, type Edit, historyOf, KINDS } from './certified-kinds.ts';

/** Certifies an object, edits it, and reports what is left of the certification. */
function certifying(api: Api, certified: Certified) {
  const path = certificationOf(certified);
  const owner = api.as('owner');
  const find = async () => (await api.as('viewer').get(path)).body;
  const events = async () => (await api.as('viewer').get(historyOf(certified))).body.items;
  return {
    find,
    events,
    async certify() {
      const reply = await owner.put(path, { status: 'certified', certifiedBy: 'Finance', note: 'Checked' });
      expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { isCertified: true } });
      return reply.body;
    },
    /** `reported` is what the reply to the edit says about the certification. */
    async edit(actor: Actor, [name, edit]: [string, Edit]) {
      const reported = (await done(edit(actor), name)).get('x-certification');
      const ended = (await events()).filter(({ event }: { event: string }) => event === 'ended').length;
      return { name, actor, isCertified: (await find()).isCertified, ended, reported };
    },
    async describe() {
      const listing = { ownerIds: [], domainId: null, tags: ['reviewed'] };
      const asset = `/api/catalog/assets/${certified.type}/${certified.id}/catalog`;
      // Parts of models and terms have none, or their own.
      if (!certified.modelId && certified.type !== 'term') await done(api.as('editor').put(asset, listing), 'tags');
    },
  };
}

describe('certifications', () => {
  for (const [kind, given] of Object.entries(KINDS)) {
    it(`of a ${kind} end only when someone who may not certify changes what it means`, async ({ api }) => {
      const certified = await given(api);
      const { find, events, certify, edit, describe: describeObject } = certifying(api, certified);
      const { removal, ...other } = certified.other;
      expect(await find()).toMatchObject({ isCertified: false, status: 'none', by: null });
      const first = await certify();
      await describeObject();
      const kept = { isCertified: true, ended: 0 };
      for (const same of Object.entries(certified.same))
        expect(await edit('editor', same)).toEqual({ name: same[0], actor: 'editor', ...kept, reported: null });
      for (const each of Object.entries(other))
        expect(await edit('owner', each)).toEqual({ name: each[0], actor: 'owner', ...kept, reported: 'kept' });
      expect(await find()).toMatchObject({ at: first.at, certifiedBy: 'Finance' });
      for (const [index, each] of Object.entries(other).entries()) {
        const [name] = each;
        if (name === 'restore') await done(other.api!('owner'), name);
        await certify();
        const ended = { isCertified: false, ended: index + 1, reported: 'ended' };
        expect(await edit('editor', each)).toEqual({ name, actor: 'editor', ...ended });
      }
      expect((await events())[0]).toMatchObject({ event: 'ended', certifiedBy: 'Finance', note: 'Checked' });
      if (!removal) return;
      await certify();
      await done(removal('editor'), 'removal');
    });
  }

  it('of a model end with each of its parts, those of other parts stay', async ({ api }) => {
    const { modelId, path, revenue, average } = await givenSalesModel(api);
    const of = (type: string, id: string) => certificationOf(type === 'model' ? { type, id } : { type, id, modelId });
    const all = [of('model', modelId), of('measure', revenue), of('measure', average)];
    for (const each of all) await done(api.as('owner').put(each, { status: 'certified' }), each);
    await done(api.as('editor').put(`${path}/measures/${revenue}`, { expression: 'MAX([sales.amount])' }), 'edit');
    const found = await Promise.all(all.map(async (each) => (await api.as('viewer').get(each)).body.isCertified));
    expect(found).toEqual([false, false, true]);
  });
});
