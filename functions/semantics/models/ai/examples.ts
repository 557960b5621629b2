import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  suggestMeasure: {
    request: { prompt: 'Average revenue per order' },
    reply: {
      ok: true,
      expression: 'AVG([orders.amount])',
      explanation: 'The mean of the amounts of all orders.',
      diagnostics: [],
      rounds: 0,
    },
  },
  suggestRelationships: {
    reply: {
      items: [
        {
          fromTable: 'customers',
          fromField: 'id',
          toTable: 'orders',
          toField: 'customer_id',
          fromTableId: IDS.customersTable,
          fromFieldId: IDS.customerKey,
          toTableId: IDS.modelTable,
          toFieldId: IDS.modelField,
          joinType: 'left',
          cardinality: '1:N',
          confidence: 0.95,
          reason: 'customer_id of orders names the id of customers.',
        },
      ],
      total: 1,
    },
  },
};
