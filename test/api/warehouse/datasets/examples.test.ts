import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenFileSource } from '../../../support/given/upload.ts';
import { examplesOf, followGuide } from '../../../support/guide-examples.ts';

const ORDERS = 'id,placed,amount\n1,2026-01-05,12.50\n2,2026-01-20,99.00\n3,2026-02-03,7.25\n';

it('docs/datasets.md shows replies as they are', async ({ api }) => {
  expect(examplesOf('datasets.md').every(({ reply }) => reply)).toBe(true);
  const files = await givenFileSource(api, { 'orders.csv': ORDERS });
  let id = '';
  await followGuide(api, 'datasets.md', {
    values: { files },
    after: async ({ path }, { status, body }) => {
      if (path === '/api/datasets') id = body.id;
      if (body.job || status === 202) await endedRefresh(api, id);
      return { id };
    },
  });
});
