import { expect } from 'vitest';
import { it } from '../../support/api.ts';
import { givenModel } from '../../support/given/model.ts';
import { withoutAiKey } from '../../support/without-ai-key.ts';

it('suggests nothing for a model while the deployment has no key for its provider', async ({ api, onTestFinished }) => {
  const { path } = await givenModel(api);
  await withoutAiKey(api, onTestFinished);
  for (const reply of [
    await api.as('editor').post(`${path}/measures/copilot`, { prompt: 'Revenue' }),
    await api.as('editor').post(`${path}/suggest-relationships`),
  ]) {
    expect(reply).toMatchObject({ status: 503, body: { code: 'AI_NOT_CONFIGURED' } });
  }
});
