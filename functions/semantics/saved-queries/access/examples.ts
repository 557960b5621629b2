import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { ACCESS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  listSavedQueryAccess: { reply: { items: [ACCESS], total: 1, nextCursor: null } },
  setSavedQueryAccess: { request: { level: 'editor' }, reply: ACCESS },
  revokeSavedQueryAccess: {},
};
