import { it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { posted } from '../../../support/given/model.ts';
import { allowDomains } from '../../../support/given/schedules.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/dashboards.md shows requests that succeed, and replies as they are', async ({ api }) => {
  const { email } = await givenMember(api);
  const query = await posted(api, '/api/saved-queries', { name: 'orders', sql: "SELECT 'eu' AS region, 300 AS total" });
  await allowDomains(api, ['example.com', 'hooks.slack.com']);
  await followGuide(api, 'dashboards.md', {
    values: { email, savedQueryId: query.id, secret: 'shared-secret-5b1f', token: 'token-81c2' },
    // Only admins make themes.
    callerOf: ({ path }) => (path === '/api/themes' ? 'owner' : 'editor'),
    after: ({ path }, { body }) => {
      if (path === '/api/dashboards') return { id: body.id };
      return path.endsWith('/schedules') ? { scheduleId: body.id } : {};
    },
  });
});
