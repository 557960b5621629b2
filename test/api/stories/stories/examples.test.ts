import { it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/stories.md shows replies as they are', async ({ api }) => {
  const { email } = await givenMember(api);
  await followGuide(api, 'stories.md', {
    instead: { 'ada@example.com': email },
    after: ({ path }, { body }) => (path === '/api/stories' ? { id: body.id, sectionId: body.sections[0].id } : {}),
  });
});
