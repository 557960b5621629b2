import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { givenTerm } from '../../../support/given/terms.ts';

const only = { status: 403, body: { code: 'TERM_REVIEWERS_ONLY' } };

it('a reviewer who leaves and comes back reviews only once named again', async ({ api }) => {
  const owner = api.as('owner');
  const person = await givenMember(api, 'editor');
  const term = await givenTerm(api, 'Margin', { status: 'approved', reviewerIds: [person.userId] });
  const reviewers = async () => (await owner.get(term.path)).body.reviewerIds;
  expect((await api.as(person).patch(term.path, { abbreviation: 'M' })).body).toMatchObject({ proposal: null });

  expect((await owner.delete(`/api/workspaces/members/${person.userId}`)).status).toBe(204);
  expect(await reviewers()).toEqual([]);
  const { email, password } = person;
  const added = await owner.post('/api/workspaces/members', { email, password, name: 'New', role: 'editor' });
  expect(added).toMatchObject({ status: 201, body: { userId: person.userId } });
  const returned = api.as({ token: await tokenOf(api, person) });
  expect(await reviewers()).toEqual([]);
  expect((await owner.get('/api/catalog/terms')).body.items).toMatchObject([{ id: term.id, reviewerIds: [] }]);
  const proposed = await returned.patch(term.path, { definition: 'Mine' });
  expect(proposed.body).toMatchObject({
    definition: 'What Margin means',
    proposal: { changes: { definition: 'Mine' } },
  });
  expect(await returned.post(`${term.path}/proposals/${proposed.body.proposal.id}/accept`)).toMatchObject(only);
  expect(await returned.patch(term.path, { reviewerIds: [person.userId] })).toMatchObject(only);
  expect(await returned.delete(term.path)).toMatchObject(only);

  // Another change names no one again.
  expect((await owner.patch(term.path, { abbreviation: 'MG' })).body.reviewerIds).toEqual([]);
  expect(await returned.delete(term.path)).toMatchObject(only);
  const named = await owner.patch(term.path, { reviewerIds: [person.userId] });
  expect(named.body.reviewerIds).toEqual([person.userId]);
  const accepted = await returned.post(`${term.path}/proposals/${proposed.body.proposal.id}/accept`);
  expect(accepted).toMatchObject({ status: 200, body: { definition: 'Mine', reviewerIds: [person.userId] } });
});
