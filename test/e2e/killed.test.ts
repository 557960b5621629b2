import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartedPlatform } from '../support/started-platform.ts';
import { AIRPORT_COUNT, givenAppendingPipeline, killAndFinish, rowCount } from './kill-and-finish.ts';

let dataDir: string;
let platform: StartedPlatform;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'analytics-killed-'));
  platform = new StartedPlatform(dataDir);
  await platform.start();
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('the whole platform killed in the middle of a run', () => {
  it('finishes the run when it is started again, with each row loaded once', async () => {
    const pipelineId = await givenAppendingPipeline(platform, 'killed');
    const { apiKey } = platform.credentials;
    const moments = [300, 900];
    for (const [index, killAfterMs] of moments.entries()) {
      expect(await killAndFinish(platform, pipelineId, killAfterMs)).toBe('succeeded');
      expect(await rowCount(platform, 'killed')).toBe(AIRPORT_COUNT * (index + 1));
    }
    expect(platform.credentials.apiKey).toBe(apiKey);
  }, 900_000);
});
