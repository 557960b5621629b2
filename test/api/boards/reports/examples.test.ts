import { it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { allowDomains } from '../../../support/given/schedules.ts';
import { followGuide } from '../../../support/guide-examples.ts';

it('docs/reports.md shows replies as they are', async ({ api }) => {
  const { id: datasetId } = await givenDataset(api, {
    name: 'orders',
    sql: `SELECT region, amount::DECIMAL(9,2) AS amount
          FROM (VALUES ('North', 120.50), ('North', 80), ('South', 250), ('West', 300)) t(region, amount)`,
  });
  const { userId } = await givenMember(api);
  await allowDomains(api, ['example.com']);
  await followGuide(api, 'reports.md', {
    values: { datasetId, userId },
    after: ({ path }, { body }) => (path === '/api/reports' ? { id: body.id } : {}),
  });
});
