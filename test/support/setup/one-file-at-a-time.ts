import { beforeAll, expect } from 'vitest';
import { SETUP_TIMEOUT_MS, turnOn } from './ask.ts';
import { breaksDeployment } from './breaks-deployment.ts';

/** Files that make the cloud fail would disturb each other. */
beforeAll(async () => {
  if (breaksDeployment(expect.getState().testPath!)) return turnOn('failing');
}, SETUP_TIMEOUT_MS);
