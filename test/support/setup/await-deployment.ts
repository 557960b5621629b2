import { beforeAll } from 'vitest';
import { deployed, SETUP_TIMEOUT_MS } from './ask.ts';

/** The first test is not charged for the deployment. */
beforeAll(async () => {
  await deployed();
}, SETUP_TIMEOUT_MS);
