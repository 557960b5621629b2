import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const owned = { path: null, ownerId: IDS.user, isComplete: true, columns: [] } as const;
const [orders, model, metric, dashboard] = [
  { type: 'dataset', id: IDS.orders },
  { type: 'model', id: IDS.model },
  { type: 'metric', id: IDS.metric },
  { type: 'dashboard', id: IDS.dashboard },
] as const;

export const examples: ExamplesOf<typeof routes> = {
  getLineage: {
    reply: {
      nodes: [
        { ...orders, name: 'orders', ...owned, distance: -1 },
        { ...model, name: 'Sales', ...owned, distance: 0 },
        { ...metric, name: 'Revenue', ...owned, distance: 1 },
        { ...dashboard, name: 'Sales', ...owned, path: `/d/${IDS.dashboard}`, distance: 2 },
      ],
      edges: [
        { from: orders, to: model, columns: [] },
        { from: model, to: metric, columns: [] },
        { from: metric, to: dashboard, columns: [] },
      ],
      isTruncated: false,
    },
  },
  getImpact: {
    reply: {
      affected: [
        {
          ...{ ...dashboard, name: 'Sales', path: `/d/${IDS.dashboard}`, ownerId: IDS.user },
          ...{ effect: 'breaks', columns: [{ id: 'monthly', name: 'Revenue by month' }] },
        },
      ],
      isTruncated: false,
    },
  },
};
