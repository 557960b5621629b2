import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { ACCESS } from '../example-values.ts';
import type * as routes from './access-routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  listModelAccess: { reply: { items: [ACCESS], total: 1, nextCursor: null } },
  setModelAccess: { request: { level: 'editor' }, reply: ACCESS },
  revokeModelAccess: {},
};
