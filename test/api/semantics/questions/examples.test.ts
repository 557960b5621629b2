import { it } from '../../../support/api.ts';
import { givenShop } from '../../../support/given/shop.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/questions.md shows requests that succeed, and replies as they are', async ({ api }) => {
  const { id: modelId, revenue: revenueId, fields } = await givenShop(api);
  await followGuide(api, 'questions.md', {
    values: { modelId, revenueId, placedId: fields.placed, regionId: fields.region },
  });
});
