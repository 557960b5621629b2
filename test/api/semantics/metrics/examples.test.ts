import { it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/metrics.md shows requests that succeed, and replies as they are', async ({ api }) => {
  const { modelId, revenue, fields } = await givenSalesModel(api);
  const { userId } = await givenMember(api);
  await followGuide(api, 'metrics.md', {
    values: { modelId, measureId: revenue, timeFieldId: fields.sold, regionId: fields.region, userId },
    after: ({ path }, { body }) => (path === '/api/metrics' ? { id: body.id } : {}),
  });
});
