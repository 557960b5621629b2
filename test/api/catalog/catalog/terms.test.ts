import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { type GivenTerm, givenTerm, TERMS, usesOf } from '../../../support/given/terms.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';

const relation = ({ path }: GivenTerm, kind: string, { id }: { id: string }) => `${path}/relations/${kind}/${id}`;

const names = (related: { name: string }[]) => related.map(({ name }) => name);

const refused = (status: number, code: string) => ({ status, body: { code } });

describe('terms', () => {
  it('are created, read, found, changed and deleted', async ({ api }) => {
    const editor = api.as('editor');
    const made = await editor.post(TERMS, {
      name: 'Annual recurring revenue',
      definition: 'The yearly value of subscriptions',
      abbreviation: 'ARR',
      synonyms: ['Recurring turnover'],
      hiddenSynonyms: ['Anual revenue'],
      tags: [' Finance ', 'finance', 'SaaS'],
      exactMatch: ['https://glossary.example.com/arr'],
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{
          abbreviation: 'ARR',
          tags: ['finance', 'saas'],
          status: 'draft',
          ownerIds: [],
          reviewerIds: [],
          revision: 1,
        },
        relations: { broader: [], narrower: [], related: [], replacedBy: [], replaces: [] },
      },
    });
    const path = `${TERMS}/${made.body.id}`;
    expect((await api.as('viewer').get(path)).body).toEqual(made.body);
    await givenTerm(api, 'Churn', { status: 'approved' });
    const found = async (query: string) => names((await api.as('viewer').get(`${TERMS}?${query}`)).body.items);
    for (const search of ['RECURRING', 'arr', 'turnover', 'anual', 'yearly'])
      expect(await found(`search=${search}`), search).toEqual(['Annual recurring revenue']);
    expect(await found('status=approved')).toEqual(['Churn']);
    for (const name of ['annual%20RECURRING_revenue', 'arr', 'recurring_turnover', '|x|ARR'])
      expect(await found(`names=${name}`), name).toEqual(['Annual recurring revenue']);
    expect(await found('names=ARR|churn&sort=name')).toEqual(['Annual recurring revenue', 'Churn']);
    expect(await found('names=ARR|churn&status=approved&search=chu')).toEqual(['Churn']);
    for (const name of ['recurring', 'anual%20revenue', '|']) expect(await found(`names=${name}`), name).toEqual([]);
    expect(await found('sort=name')).toEqual(['Annual recurring revenue', 'Churn']);
    await lookUpInLargeGlossary(api, found);
    expect(await api.as('viewer').get(`${TERMS}?offset=20000`)).toMatchObject(refused(400, 'OFFSET_TOO_LARGE'));

    const headers = { 'if-match': '"1"' };
    const changed = await editor.patch(path, { name: 'ARR', abbreviation: null, status: 'in_review' }, { headers });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'ARR', abbreviation: null, status: 'in_review', revision: 2, proposal: null },
    });
    expect(await editor.patch(path, { name: 'X' }, { headers })).toMatchObject(refused(412, 'PRECONDITION_FAILED'));
    expect(await editor.delete(path, { headers })).toMatchObject(refused(412, 'PRECONDITION_FAILED'));
    expect(await api.as('viewer').delete(path)).toMatchObject(refused(403, 'FORBIDDEN'));
    expect(await editor.delete(path)).toMatchObject({ status: 200, body: { id: made.body.id } });
    for (const reply of [editor.get(path), editor.patch(path, { name: 'X' }), editor.delete(path)])
      expect(await reply).toMatchObject(refused(404, 'TERM_NOT_FOUND'));
    // The name is free again.
    await givenTerm(api, 'arr');
  });

  it('have names that are unique regardless of case, also for two requests at the same time', async ({ api }) => {
    const editor = api.as('editor');
    const twins = await Promise.all(
      ['Margin', 'MARGIN', 'margin'].map((name) => editor.post(TERMS, { name, definition: 'x' })),
    );
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const other = await givenTerm(api, 'Gross margin');
    const taken = refused(409, 'TERM_NAME_TAKEN');
    expect(await editor.post(TERMS, { name: 'mArGiN', definition: 'x' })).toMatchObject(taken);
    expect(await editor.patch(other.path, { name: 'mArGiN' })).toMatchObject(taken);
    expect((await editor.get(other.path)).body).toMatchObject({ name: 'Gross margin', revision: 1 });
    expect((await editor.get(TERMS)).body.total).toBe(2);
  });

  it('have owners and reviewers who are members; only admins make themselves reviewers', async ({ api }) => {
    const editor = api.as('editor');
    const me = (await editor.get('/api/auth/me')).body.user.id;
    const body = { name: 'Margin', definition: 'x' };
    expect(await editor.post(TERMS, { ...body, ownerIds: [me, UNKNOWN], reviewerIds: [UNKNOWN] })).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_FAILED',
        errors: [
          { pointer: '/ownerIds/1', code: 'NOT_A_MEMBER' },
          { pointer: '/reviewerIds/0', code: 'NOT_A_MEMBER' },
        ],
      },
    });
    const only = refused(403, 'TERM_REVIEWERS_ONLY');
    expect(await editor.post(TERMS, { ...body, reviewerIds: [me] })).toMatchObject(only);
    expect(await editor.post(TERMS, { ...body, status: 'approved' })).toMatchObject(only);
    expect((await editor.get(TERMS)).body.total).toBe(0);
    const term = await givenTerm(api, 'Margin');
    expect(await editor.patch(term.path, { reviewerIds: [me] })).toMatchObject(only);
    expect(await editor.patch(term.path, { status: 'approved' })).toMatchObject(only);
    expect((await editor.get(term.path)).body).toMatchObject({ reviewerIds: [], status: 'draft', revision: 1 });
    await api.as('owner').patch(term.path, { reviewerIds: [me] });
    expect(await editor.patch(term.path, { status: 'approved' })).toMatchObject({
      status: 200,
      body: { status: 'approved', proposal: null },
    });
    expect(await editor.patch(term.path, { definition: 'y' })).toMatchObject({
      body: { definition: 'y', status: 'approved', proposal: null },
    });
  });
});

describe('proposals', () => {
  it('take the place of a change of an approved term by someone who does not review it', async ({ api }) => {
    const term = await givenTerm(api, 'Margin', { status: 'approved' });
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const before = (await editor.get(term.path)).body;
    const proposed = await editor.patch(term.path, { definition: 'Better', name: 'Margin' });
    expect(proposed).toMatchObject({
      status: 200,
      body: {
        ...before,
        proposal: {
          state: 'open',
          changes: { definition: 'Better' },
          before: { definition: 'What Margin means' },
        },
      },
    });
    expect((await editor.get(term.path)).body).toEqual(before);
    expect((await editor.patch(term.path, { name: 'Margin' })).body.proposal).toBeNull();
    const headers = { 'if-match': '"9"' };
    expect(await editor.patch(term.path, { name: 'X' }, { headers })).toMatchObject({ status: 412 });
    // A second one takes the place of the first one; another person has another.
    const second = (await editor.patch(term.path, { definition: 'Best', tags: ['Money'] })).body.proposal;
    const colleague = await givenMember(api, 'editor');
    await api.as(colleague).patch(term.path, { status: 'deprecated' });
    const listed = (await editor.get(`${term.path}/proposals`)).body;
    expect(listed).toMatchObject({ total: 2, items: [{ changes: { status: 'deprecated' } }, { id: second.id }] });
    expect(await api.as('viewer').get(`${term.path}/proposals`)).toMatchObject(refused(403, 'FORBIDDEN'));

    const accept = `${term.path}/proposals/${second.id}/accept`;
    expect(await editor.post(accept)).toMatchObject(refused(403, 'TERM_REVIEWERS_ONLY'));
    const accepted = await Promise.all([owner.post(accept), owner.post(accept)]);
    for (const reply of [...accepted, await owner.post(accept)])
      expect(reply).toMatchObject({
        status: 200,
        body: { definition: 'Best', tags: ['money'], status: 'approved', revision: 2 },
      });
    expect(await owner.post(`${term.path}/proposals/${second.id}/reject`, {})).toMatchObject(
      refused(409, 'TERM_PROPOSAL_DECIDED'),
    );
    expect(await owner.post(`${term.path}/proposals/${proposed.body.proposal.id}/accept`)).toMatchObject(
      refused(404, 'TERM_PROPOSAL_NOT_FOUND'),
    );
  });

  it('are rejected with a reason, which the person reads', async ({ api }) => {
    const term = await givenTerm(api, 'Margin', { status: 'approved' });
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const { id } = (await editor.patch(term.path, { definition: 'Better' })).body.proposal;
    const reject = `${term.path}/proposals/${id}/reject`;
    expect(await editor.post(reject, {})).toMatchObject(refused(403, 'TERM_REVIEWERS_ONLY'));
    // Nor does a key decide, although the person who made it reviews the term.
    const { body: me } = await owner.get('/api/auth/me');
    await owner.patch(term.path, { reviewerIds: [me.user.id] });
    const made = await owner.post('/api/api-keys', { name: 'writes', scope: 'read/write' });
    const key = api.as({ token: made.body.key });
    expect(await key.post(reject, {})).toMatchObject(refused(403, 'TERM_REVIEWERS_ONLY'));
    for (const reason of ['Too short', 'Another'])
      expect(await owner.post(reject, { reason })).toMatchObject({
        status: 200,
        body: { state: 'rejected', reason: 'Too short' },
      });
    expect(await owner.post(`${term.path}/proposals/${id}/accept`)).toMatchObject(
      refused(409, 'TERM_PROPOSAL_DECIDED'),
    );
    expect((await editor.get(`${term.path}/proposals`)).body.items).toMatchObject([
      { id, state: 'rejected', reason: 'Too short', changes: { definition: 'Better' } },
    ]);
    expect((await owner.get(term.path)).body).toMatchObject({ definition: 'What Margin means', revision: 2 });
    const unknown = `${term.path}/proposals/${UNKNOWN}`;
    expect(await owner.post(`${unknown}/reject`, {})).toMatchObject(refused(404, 'TERM_PROPOSAL_NOT_FOUND'));
  });

  it('do not overwrite what has changed since, and are hidden with their term', async ({ api }) => {
    const term = await givenTerm(api, 'Margin', { status: 'approved' });
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const { id } = (await editor.patch(term.path, { definition: 'Better', name: 'Profit' })).body.proposal;
    const accept = `${term.path}/proposals/${id}/accept`;
    const profit = await givenTerm(api, 'Profit');
    expect(await owner.post(accept)).toMatchObject(refused(409, 'TERM_NAME_TAKEN'));
    await owner.delete(profit.path);
    // Another member of the term is no reason.
    await owner.patch(term.path, { abbreviation: 'M' });
    await owner.patch(term.path, { definition: 'Mine' });
    expect(await owner.post(accept)).toMatchObject(refused(409, 'TERM_PROPOSAL_STALE'));
    expect((await owner.get(term.path)).body).toMatchObject({ definition: 'Mine', name: 'Margin', revision: 3 });
    const { proposedBy } = (await owner.get(`${term.path}/proposals`)).body.items[0];
    const key = workspaceKey(api.workspaceId, `TERM#${term.id}`, `PROPOSAL#${proposedBy}`);
    expect(await api.stored(key)).toMatchObject({ id });
    expect(await editor.delete(term.path)).toMatchObject(refused(403, 'TERM_REVIEWERS_ONLY'));
    expect((await owner.delete(term.path)).status).toBe(200);
    for (const reply of [
      owner.get(`${term.path}/proposals`),
      owner.post(accept),
      owner.post(`${term.path}/proposals/${id}/reject`, {}),
    ])
      expect(await reply).toMatchObject(refused(404, 'TERM_NOT_FOUND'));
  });
});

describe('relations of terms', () => {
  it('show on both terms, and end on both', async ({ api }) => {
    const editor = api.as('editor');
    const [revenue, arr, sales] = [
      await givenTerm(api, 'Revenue'),
      await givenTerm(api, 'ARR'),
      await givenTerm(api, 'Sales'),
    ];
    const put = (term: GivenTerm, kind: string, other: GivenTerm) => editor.put(relation(term, kind, other));
    expect((await put(arr, 'broader', revenue)).status).toBe(204);
    expect((await put(revenue, 'narrower', arr)).status).toBe(204);
    expect((await put(arr, 'related', sales)).status).toBe(204);
    expect((await put(sales, 'replacedBy', revenue)).status).toBe(204);
    const relations = async ({ path }: GivenTerm) => (await editor.get(path)).body.relations;
    expect(await relations(arr)).toMatchObject({ broader: [{ id: revenue.id, name: 'Revenue', status: 'draft' }] });
    expect(names((await relations(revenue)).narrower)).toEqual(['ARR']);
    expect(names((await relations(revenue)).replaces)).toEqual(['Sales']);
    expect(names((await relations(sales)).related)).toEqual(['ARR']);
    // Names are those of now.
    await editor.patch(revenue.path, { name: 'Turnover' });
    expect(names((await relations(arr)).broader)).toEqual(['Turnover']);
    expect(await api.stored(usesOf(api, arr))).toMatchObject({ relations: 2 });

    expect((await editor.delete(relation(sales, 'related', arr))).status).toBe(204);
    expect((await editor.delete(relation(sales, 'related', arr))).status).toBe(204);
    expect((await relations(arr)).related).toEqual([]);
    expect(await api.stored(usesOf(api, arr))).toMatchObject({ relations: 1 });
    for (const path of [relation(arr, 'broader', { id: UNKNOWN }), `${TERMS}/${UNKNOWN}/relations/broader/${arr.id}`])
      for (const method of ['PUT', 'DELETE'])
        expect(await editor.send(method, path)).toMatchObject(refused(404, 'TERM_NOT_FOUND'));
  });

  it('never lead back to their start, also if two are added at the same time', async ({ api }) => {
    const editor = api.as('editor');
    const [a, b, c] = [await givenTerm(api, 'A'), await givenTerm(api, 'B'), await givenTerm(api, 'C')];
    const cycle = refused(409, 'TERM_CYCLE');
    expect(await editor.put(relation(a, 'broader', a))).toMatchObject(cycle);
    expect(await editor.put(relation(a, 'related', a))).toMatchObject(cycle);
    await editor.put(relation(a, 'broader', b));
    await editor.put(relation(b, 'broader', c));
    expect(await editor.put(relation(c, 'broader', a))).toMatchObject(cycle);
    expect(await editor.put(relation(a, 'narrower', c))).toMatchObject(cycle);
    expect((await editor.get(c.path)).body.relations.broader).toEqual([]);
    const circle = [relation(a, 'replacedBy', b), relation(b, 'replacedBy', c), relation(c, 'replacedBy', a)];
    const replies = await Promise.all(circle.map((path) => editor.put(path)));
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 204, 409]);
  });

  it('are ten deep at most, and 500 for each term', async ({ api }) => {
    const editor = api.as('editor');
    const chain: GivenTerm[] = [];
    for (let index = 0; index < 12; index++) chain.push(await givenTerm(api, `Term ${index}`));
    // Two chains of five steps; one more would join them to eleven.
    for (const index of [0, 1, 2, 3, 4, 6, 7, 8, 9, 10])
      expect((await editor.put(relation(chain[index]!, 'broader', chain[index + 1]!))).status).toBe(204);
    expect(await editor.put(relation(chain[5]!, 'broader', chain[6]!))).toMatchObject(refused(409, 'TERM_TOO_DEEP'));
    expect((await editor.put(relation(chain[5]!, 'broader', chain[7]!))).status).toBe(204);

    const [last] = chain.slice(-1);
    const counted = updateOf(api.table, usesOf(api, last!), { set: { relations: 500, links: 1000 } });
    await api.table.db.send(new UpdateCommand(counted));
    const full = refused(409, 'TERM_FULL');
    expect(await editor.put(relation(last!, 'related', chain[0]!))).toMatchObject(full);
    expect(await editor.put(relation(chain[0]!, 'related', last!))).toMatchObject(full);
    const { body: query } = await editor.post('/api/saved-queries', { name: 'x', sql: 'SELECT 1 AS a' });
    expect(await editor.put(`${last!.path}/links/saved-query/${query.id}`, { role: 'about' })).toMatchObject(full);
  });

  it('of approved terms are changed by reviewers alone', async ({ api }) => {
    const [editor, owner] = [api.as('editor'), api.as('owner')];
    const [approved, draft] = [await givenTerm(api, 'A', { status: 'approved' }), await givenTerm(api, 'B')];
    const only = refused(403, 'TERM_REVIEWERS_ONLY');
    expect(await editor.put(relation(approved, 'broader', draft))).toMatchObject(only);
    expect(await editor.put(relation(draft, 'narrower', approved))).toMatchObject(only);
    expect((await editor.put(relation(draft, 'broader', approved))).status).toBe(204);
    expect((await owner.put(relation(approved, 'related', draft))).status).toBe(204);
    expect(await editor.delete(relation(approved, 'related', draft))).toMatchObject(only);
  });
});

describe('links of terms', () => {
  it('lead to objects that the reader can see; others are absent and not counted', async ({ api }) => {
    const [owner, editor] = [api.as('owner'), api.as('editor')];
    const term = await givenTerm(api, 'Revenue', { status: 'approved' });
    const { body: query } = await owner.post('/api/saved-queries', { name: 'Revenue by week', sql: 'SELECT 1 AS a' });
    const { body: secret } = await owner.post('/api/dashboards', { name: 'Secret plans' });
    const link = (type: string, id: string) => `${term.path}/links/${type}/${id}`;
    expect(await editor.put(link('saved-query', query.id), { role: 'about' })).toMatchObject({
      status: 200,
      body: { type: 'saved-query', objectId: query.id, name: 'Revenue by week', role: 'about' },
    });
    expect((await editor.put(link('saved-query', query.id), { role: 'measuredBy' })).body.role).toBe('measuredBy');
    expect((await owner.put(link('dashboard', secret.id), { role: 'about' })).status).toBe(200);
    expect(await api.stored(usesOf(api, term))).toMatchObject({ links: 2 });

    const viewer = await givenMember(api, 'viewer');
    const seen = (await api.as(viewer).get(`${term.path}/links`)).body;
    expect(seen).toMatchObject({ total: 1, items: [{ objectId: query.id, role: 'measuredBy' }] });
    expect((await owner.get(`${term.path}/links?limit=1&offset=1`)).body).toMatchObject({
      total: 2,
      items: [{ objectId: query.id }],
    });
    const missing = refused(404, 'TERM_OBJECT_NOT_FOUND');
    const colleague = await givenMember(api, 'editor');
    for (const path of [link('model', query.id), link('dashboard', UNKNOWN)]) {
      expect(await api.as(colleague).put(path, { role: 'about' })).toMatchObject(missing);
      expect(await api.as(colleague).delete(path)).toMatchObject(missing);
    }
    const nowhere = `${TERMS}/${UNKNOWN}/links`;
    for (const reply of [
      editor.get(nowhere),
      editor.put(`${nowhere}/saved-query/${query.id}`, { role: 'about' }),
      editor.delete(`${nowhere}/saved-query/${query.id}`),
    ])
      expect(await reply).toMatchObject(refused(404, 'TERM_NOT_FOUND'));
    const removed = await Promise.all([1, 2].map(() => editor.delete(link('saved-query', query.id))));
    expect(removed.map(({ status }) => status)).toEqual([204, 204]);
    expect(await api.stored(usesOf(api, term))).toMatchObject({ links: 1 });
    // A deleted object is no longer among the links.
    await owner.delete(`/api/dashboards/${secret.id}`);
    expect((await owner.get(`${term.path}/links`)).body).toMatchObject({ total: 0, items: [] });
  });

  it('and relations keep a term from being deleted, unless they end with it', async ({ api }) => {
    const [owner, editor] = [api.as('owner'), api.as('editor')];
    const [term, other] = [await givenTerm(api, 'Revenue'), await givenTerm(api, 'Sales')];
    const { body: query } = await owner.post('/api/saved-queries', { name: 'Weeks', sql: 'SELECT 1 AS a' });
    await editor.put(`${term.path}/links/saved-query/${query.id}`, { role: 'about' });
    await editor.put(relation(term, 'broader', other));
    expect(await editor.delete(term.path)).toMatchObject({
      status: 409,
      body: {
        code: 'REFERENCED',
        referencedBy: [
          { type: 'term', id: other.id, name: 'Sales' },
          { type: 'saved-query', id: query.id, name: 'Weeks' },
        ],
      },
    });
    expect((await editor.get(term.path)).body.relations.broader).toHaveLength(1);
    const replies = await Promise.all([1, 2].map(() => editor.delete(`${term.path}?detach=true`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await editor.get(other.path)).body.relations.narrower).toEqual([]);
    expect(await api.stored(usesOf(api, other))).toMatchObject({ relations: 0 });
    expect((await editor.delete(other.path)).status).toBe(200);
  });
});

it('a term is not deleted without a link or relation that is added at the same time', async ({ api }) => {
  const editor = api.as('editor');
  const other = await givenTerm(api, 'Other');
  const { body: query } = await editor.post('/api/saved-queries', { name: 'Weeks', sql: 'SELECT 1 AS a' });
  for (let index = 0; index < 8; index++) {
    const term = await givenTerm(api, `Term ${index}`);
    const add = () =>
      index % 2 === 0
        ? editor.put(`${term.path}/links/saved-query/${query.id}`, { role: 'about' })
        : editor.put(relation(term, 'related', other));
    const [added, deleted] = await Promise.all([add(), editor.delete(term.path)]);
    const isAdded = added.status < 300;
    expect(added, `${index}`).toMatchObject(isAdded ? {} : refused(404, 'TERM_NOT_FOUND'));
    expect(deleted, `${index}`).toMatchObject(isAdded ? refused(409, 'REFERENCED') : { status: 200 });
    expect((await editor.get(term.path)).status).toBe(isAdded ? 200 : 404);
  }
});

it('the audit log has what people do with terms', async ({ api }) => {
  const [owner, editor] = [api.as('owner'), api.as('editor')];
  const [term, other] = [await givenTerm(api, 'Revenue', { status: 'approved' }), await givenTerm(api, 'Sales')];
  const { body: query } = await owner.post('/api/saved-queries', { name: 'Weeks', sql: 'SELECT 1 AS a' });
  await owner.put(relation(term, 'related', other));
  await owner.delete(relation(term, 'related', other));
  await owner.put(`${term.path}/links/saved-query/${query.id}`, { role: 'about' });
  await owner.delete(`${term.path}/links/saved-query/${query.id}`);
  const { id } = (await editor.patch(term.path, { definition: 'Better' })).body.proposal;
  await owner.post(`${term.path}/proposals/${id}/reject`, { reason: 'No' });
  await owner.patch(term.path, { definition: 'Best' });
  await owner.delete(term.path);
  const entries = (await owner.get('/api/audit-log?limit=50')).body.items;
  const actions = entries
    .filter(({ object }: { object: { id: string } }) => object.id === term.id)
    .map(({ action }: { action: string }) => action);
  expect(actions.reverse()).toEqual([
    'term.created',
    'term.related',
    'term.unrelated',
    'term.linked',
    'term.unlinked',
    'term.proposed',
    'term.proposal_rejected',
    'term.updated',
    'term.deleted',
  ]);
});

/** Names of columns find their terms, however many terms there are. */
async function lookUpInLargeGlossary(api: Api, found: (query: string) => Promise<string[]>): Promise<void> {
  const total = { pk: `W#${api.workspaceId}#TERM`, sk: '#TOTAL' };
  const setTotal = (count: number) =>
    api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count } })));
  await setTotal(5001);
  expect(await api.as('viewer').get(`${TERMS}?search=churn`)).toMatchObject(refused(400, 'LIST_TOO_LARGE'));
  expect(await found('names=annual_RECURRING_revenue|CHURN|nope&sort=name')).toEqual([
    'Annual recurring revenue',
    'Churn',
  ]);
  expect(await found('names=annual%20recurring%20revenue|churn&status=approved')).toEqual(['Churn']);
  await setTotal(2);
}
