import { beforeAll } from 'vitest';
import { SETUP_TIMEOUT_MS, turnOn } from './ask.ts';

/** Files that make the cloud fail would disturb each other. */
beforeAll(() => turnOn('failing'), SETUP_TIMEOUT_MS);
