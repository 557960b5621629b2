import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  importModelTables: {
    request: { tables: ['orders', 'customers'] },
    reply: { tablesAdded: 2, fieldsAdded: 14, fieldsChanged: [], fieldsMissing: [] },
  },
  resyncModel: {
    reply: {
      tablesAdded: 0,
      fieldsAdded: 1,
      fieldsChanged: [],
      fieldsMissing: [{ table: 'orders', field: 'amount', fieldId: IDS.modelField }],
    },
  },
};
