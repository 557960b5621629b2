import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const none = { total: 0, added: [], changed: [], removed: [] };

const yaml = `version: 1
name: Sales
tables:
  - alias: orders
    sourceTable: orders
    fields:
      - name: amount
        fieldType: measure
        dataType: decimal
measures:
  - name: Revenue
    expression: SUM([orders.amount])
    dataType: decimal
`;

export const examples: ExamplesOf<typeof routes> = {
  exportModelFile: {},
  importModelFile: {
    request: { yaml },
    reply: {
      revision: 8,
      dryRun: false,
      model: [],
      tables: none,
      fields: none,
      transforms: none,
      relationships: none,
      hierarchies: none,
      measures: { total: 1, added: [], changed: [{ name: 'Revenue', members: ['expression'] }], removed: [] },
      rollups: none,
      policies: none,
    },
  },
  validateModel: {
    request: {},
    reply: {
      ok: false,
      errors: [],
      issues: [
        {
          code: 'MEASURE_STALE',
          message: 'There is no field [orders.amuont].',
          part: { type: 'measure', id: IDS.measure, name: 'Revenue' },
        },
      ],
      ambiguous: [
        {
          from: 'orders',
          to: 'regions',
          paths: [['orders.shipped_to = regions.id'], ['orders.billed_to = regions.id']],
        },
      ],
      assertions: [{ testId: IDS.qualityTest, name: 'Orders have an id', table: 'orders', status: 'passed' }],
      unused: { fields: ['orders.internal_note'], measures: ['Old revenue'] },
    },
  },
};
