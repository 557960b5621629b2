import { expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { withoutAiKey } from '../../../support/without-ai-key.ts';
import { dagOf, finishedRun, sql } from './given.ts';

it('suggests no operations while the deployment has no key for its provider', async ({ api, onTestFinished }) => {
  const { pipeline } = await finishedRun(api, dagOf(sql('src', 'SELECT 1 AS id')));
  await withoutAiKey(api, onTestFinished);
  const wish = { description: 'Keep the first row.', upstreamIds: ['src'] };
  expect(await api.as('editor').post(`/api/pipelines/${pipeline.id}/suggest-ops`, wish)).toMatchObject({
    status: 503,
    body: { code: 'AI_NOT_CONFIGURED' },
  });
});
