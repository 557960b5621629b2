import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { partPlace, stamps } from '../tables/examples.ts';
import type * as routes from './routes.ts';

const config = { match: 'all', conditions: [{ column: 'status', op: 'ne', value: 'cancelled' }] };

const step = {
  id: IDS.transform,
  ...partPlace,
  tableId: IDS.modelTable,
  type: 'filter_rows',
  config,
  label: 'Without cancelled orders',
  isEnabled: true,
  order: 1,
  ...stamps,
};

const steps = { items: [step], total: 1 };

export const examples: ExamplesOf<typeof routes> = {
  listTransforms: { reply: steps },
  createTransform: { request: { type: 'filter_rows', config, label: 'Without cancelled orders' }, reply: step },
  updateTransform: {
    request: { isEnabled: false },
    reply: { ...step, isEnabled: false, updatedBy: IDS.colleague, updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteTransform: { reply: { items: [], total: 0 } },
  reorderTransforms: { request: { orderedIds: [IDS.transform] }, reply: steps },
};
