import { it } from '../../../support/api.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/stories.md shows replies as they are', async ({ api }) => {
  await followGuide(api, 'stories.md', {
    values: {},
    after: ({ path }, { body }) => (path === '/api/stories' ? { id: body.id, sectionId: body.sections[0].id } : {}),
  });
});
