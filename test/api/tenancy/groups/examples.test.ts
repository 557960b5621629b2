import { it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/groups.md shows requests that succeed', async ({ api }) => {
  const { userId } = await givenMember(api);
  const { id } = await posted(api, '/api/saved-queries', { name: 'orders', sql: 'SELECT 1 AS id' });
  const { id: groupId } = (await api.as('owner').post('/api/groups', { name: 'Finance' })).body;
  await followGuide(api, 'groups.md', { values: { userId, id, groupId }, callerOf: () => 'owner' });
});
