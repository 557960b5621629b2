import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  getConsole: {},
  getConsoleScreen: {},
  getConsoleItem: {},
  getConsolePart: {},
  getConsoleAsset: {},
};
