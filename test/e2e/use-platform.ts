import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { copyDataDirectory } from '../../packages/local-cloud/testing/index.ts';
import { preparedPlatform, SETUP_TIMEOUT_MS } from '../support/setup/ask.ts';
import { StartedPlatform } from '../support/started-platform.ts';

/** A platform of its own for a test file, in a folder that goes away with it; started before the first test. */
export function usePlatform(): { readonly platform: StartedPlatform } {
  let dataDir: string;
  let platform: StartedPlatform;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'analytics-e2e-'));
    platform = new StartedPlatform(dataDir);
    await copyDataDirectory(await preparedPlatform(), dataDir);
    await platform.start();
  }, SETUP_TIMEOUT_MS);
  afterAll(async () => {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get platform() {
      return platform;
    },
  };
}
