import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { ACCESS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  listBlendAccess: { reply: { items: [ACCESS], total: 1, nextCursor: null } },
  setBlendAccess: { request: { level: 'editor' }, reply: ACCESS },
  revokeBlendAccess: {},
};
