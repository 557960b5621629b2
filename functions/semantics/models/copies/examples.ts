import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import { policy } from '../structure/examples.ts';
import type * as routes from './routes.ts';

const copy = {
  kind: 'dataset',
  id: IDS.customers,
  name: 'orders of 2025',
  tables: ['orders'],
  via: null,
  allowed: false,
  reason: 'definer_sees_less',
};

export const examples: ExamplesOf<typeof routes> = {
  getRlsPolicy: { reply: { ...policy, copies: [copy] } },
  listProtectedCopies: { reply: { items: [copy], total: 1, limit: 1_000, offset: 0 } },
  decideProtectedCopy: {
    request: { allowed: true },
    reply: { ...copy, allowed: true, reason: 'allowed_by_admin' },
  },
};
