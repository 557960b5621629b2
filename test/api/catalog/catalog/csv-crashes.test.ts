import { describe, expect } from 'vitest';
import {
  beginImport,
  continueImport,
  decideImport,
  importItems,
  planImport,
  readImport,
  readTerms,
  termProposals,
  termRepository,
  writeImport,
} from '../../../../shared/domains/catalog/terms/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, it } from '../../../support/api.ts';
import { endDue } from '../../../support/given/clean-ups.ts';
import { exportCsv, importCsv } from '../../../support/given/glossary-files.ts';
import { givenTerm, TERMS } from '../../../support/given/terms.ts';

const running = { status: 409, body: { code: 'TERM_IMPORT_RUNNING' } };
const soon = () => new Date(Date.now() + 120_000);
const file = (count: number) =>
  `name,definition\n${Array.from({ length: count }, (_, at) => `Term ${at},Text ${at}`).join('\n')}\n`;
const total = async (api: Api) => (await api.as('viewer').get(TERMS)).body.total;
const lockKey = (api: Api) => workspaceKey(api.workspaceId, 'TERM-IMPORT', 'RUNNING');

/** What a request does until it is killed. */
async function begun(api: Api, csv: string, isDecided: boolean) {
  const { table, workspaceId } = api;
  const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
  const terms = termRepository(table);
  const proposals = termProposals(table, terms.key);
  const at = { workspaceId, importId: newId() };
  await beginImport(table, at);
  const glossary = {
    ...{ terms: await readTerms({ table, terms }, workspaceId), relations: [] },
    ...{ shown: new Map(), members: new Map() },
  };
  const author = { workspaceId, userId: me, mayApprove: true, reviews: () => true };
  const plan = planImport(readImport(csv), glossary, author, { now: new Date(), newId: () => newId() });
  if (isDecided) await decideImport(table, at, await importItems({ table, terms, proposals }, workspaceId, plan));
  return at;
}

const parts = (api: Api, { importId }: { importId: string }) =>
  Array.fromAsync(itemsBelow(api.table, workspaceKey(api.workspaceId, `TERM-IMPORT#${importId}`, '')));

describe('an import of terms whose process dies', () => {
  it('before it is decided leaves nothing, and others can write a minute later', async ({ api }) => {
    await begun(api, file(3), false);
    expect(await api.as('owner').post(TERMS, { name: 'x', definition: 'x' })).toMatchObject(running);
    await endDue(api, new Date());
    expect(await importCsv(api.as('owner'), file(3))).toMatchObject(running);
    await endDue(api, soon());
    expect(await total(api)).toBe(0);
    expect(await api.stored(lockKey(api))).toBeUndefined();
    expect((await importCsv(api.as('owner'), file(3))).body).toMatchObject({ created: 3 });
  });

  it('afterwards is finished by the worker; until then no term can be changed', async ({ api }) => {
    const owner = api.as('owner');
    const [term, other] = [await givenTerm(api, 'Margin', { status: 'approved' }), await givenTerm(api, 'Other')];
    const { id } = (await api.as('editor').patch(term.path, { definition: 'Mine' })).body.proposal;
    const last = await givenTerm(api, 'Last');
    const related = `${term.path}/relations/related/${other.id}`;
    expect((await owner.put(related)).status).toBe(204);
    const gone = await givenTerm(api, 'Gone');
    expect((await owner.delete(gone.path)).status).toBe(200);
    const at = await begun(api, file(500), true);
    expect((await parts(api, at)).length).toBeGreaterThan(3);

    for (const reply of [
      owner.post(TERMS, { name: 'x', definition: 'x' }),
      owner.patch(term.path, { definition: 'x' }),
      owner.delete(last.path),
      owner.delete(`${other.path}?detach=true`),
      owner.put(`${term.path}/relations/broader/${other.id}`),
      owner.delete(related),
      owner.post(`${gone.path}/restore`),
      owner.post(`${term.path}/proposals/${id}/accept`),
      importCsv(owner, file(1)),
      importCsv(owner, file(1), '?dryRun=true'),
    ])
      expect(await reply).toMatchObject(running);
    // The import may end the certification of a term, so none is given meanwhile.
    const certification = `/api/catalog/certifications/term/${term.id}`;
    expect((await owner.put(certification, { status: 'certified' })).body.code).toBe('SERVICE_BUSY');
    expect((await owner.get(certification)).body.status).toBe('none');
    expect((await owner.get(term.path)).body).toMatchObject({
      revision: 1,
      relations: { related: [{ id: other.id }] },
    });

    // A part is written, then the process dies again; two workers do the rest at the same time.
    let count = 0;
    expect(await writeImport(api.table, at, () => ++count > 2)).toBe(false);
    expect(await total(api)).toBeLessThan(503);
    await continueImport(api.table, at);
    const now = new Date();
    await Promise.all([endDue(api, now), endDue(api, now), writeImport(api.table, at, () => false)]);
    expect(await total(api)).toBe(503);
    expect((await exportCsv(owner)).split('\r\n')).toHaveLength(505);
    expect([await parts(api, at), await api.stored(lockKey(api))]).toEqual([[], undefined]);
    expect((await owner.patch(term.path, { definition: 'x' })).status).toBe(200);
    expect((await importCsv(owner, file(500))).body).toMatchObject({ unchanged: 500, created: 0 });
  });

  it('takes effect once, also if it is sent several times at the same moment', async ({ api }) => {
    const owner = api.as('owner');
    const replies = await Promise.all([1, 2, 3].map(() => importCsv(owner, file(300))));
    const outcomes = replies.map(({ status, body }) => (status === 200 ? body.created : body.code));
    expect(outcomes.filter((outcome) => outcome === 300)).toHaveLength(1);
    for (const outcome of outcomes) expect([300, 0, 'TERM_IMPORT_RUNNING']).toContain(outcome);
    expect(await total(api)).toBe(300);
    expect(new Set((await exportCsv(owner)).split('\r\n')).size).toBe(302);
  });
});
