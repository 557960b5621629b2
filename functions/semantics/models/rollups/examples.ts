import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { partPlace, partsPage, stamps } from '../tables/examples.ts';
import type * as routes from './routes.ts';

const changed = { updatedBy: IDS.colleague, updatedAt: CHANGED_AT, revision: 2 };

const input = {
  name: 'Revenue by month',
  dimensions: [{ fieldId: IDS.customerKey }, { fieldId: IDS.modelField, grain: 'month' }],
  measures: [{ measureId: IDS.measure }],
};
const rollup = { id: IDS.rollup, ...partPlace, ...input, ...stamps };

export const examples: ExamplesOf<typeof routes> = {
  listRollups: { reply: partsPage([rollup]) },
  createRollup: { request: input, reply: rollup },
  updateRollup: { request: { name: 'Monthly revenue' }, reply: { ...rollup, name: 'Monthly revenue', ...changed } },
  deleteRollup: {},
};
