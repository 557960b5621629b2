import { describe, expect, it } from 'vitest';
import { AIRPORT_COUNT, givenAppendingPipeline, killAndFinish, rowCount } from './kill-and-finish.ts';
import { usePlatform } from './use-platform.ts';

const under = usePlatform();

describe('the whole platform killed in the middle of a run', () => {
  it('finishes the run when it is started again, with each row loaded once', async () => {
    const pipelineId = await givenAppendingPipeline(under.platform, 'killed');
    const { apiKey } = under.platform.credentials;
    const moments = [300, 900];
    for (const [index, killAfterMs] of moments.entries()) {
      expect(await killAndFinish(under.platform, pipelineId, killAfterMs)).toBe('succeeded');
      expect(await rowCount(under.platform, 'killed')).toBe(AIRPORT_COUNT * (index + 1));
    }
    expect(under.platform.credentials.apiKey).toBe(apiKey);
  }, 900_000);
});
