import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { IDS } from '../../platform/example-values.ts';
import type * as lineage from './lineage/routes.ts';
import type * as previews from './previews/routes.ts';
import type * as suggestions from './suggestions/routes.ts';

const source = `source:${IDS.files}:sales/2026-01.csv`;
const identity = { type: 'DIRECT', subtype: 'IDENTITY', masking: false, description: '' };
const filter = { type: 'INDIRECT', subtype: 'FILTER', masking: false, description: '' };

const lineageExamples: ExamplesOf<typeof lineage> = {
  getPipelineLineage: {
    reply: {
      pipelineId: IDS.pipeline,
      dagHash: 'de60294ab666e4ed704db7b835f4eb77501da4b27135887111b334823b73d0ac',
      nodes: [
        { id: source, kind: 'source', name: 'sales/2026-01.csv', columns: null, inputs: [] },
        { id: 'orders', kind: 'step', name: 'orders', columns: [{ name: 'id', type: 'integer' }], inputs: [source] },
        { id: 'priced', kind: 'step', name: 'priced', columns: [{ name: 'id', type: 'integer' }], inputs: ['orders'] },
      ],
      fields: [
        {
          output: { node: 'priced', column: 'id' },
          inputs: [{ node: 'orders', column: 'id', transformations: [identity] }],
        },
      ],
      datasetInputs: [{ node: 'priced', inputs: [{ node: 'orders', column: 'id', transformations: [filter] }] }],
      completeness: { orders: 'opaque', priced: 'full' },
      observed: null,
    },
  },
};

const previewExamples: ExamplesOf<typeof previews> = {
  previewTransform: {
    request: { stepId: 'priced', limit: 100 },
    reply: {
      stepId: 'priced',
      sql: 'SELECT id, amount, round(amount * 1.19, 2) AS gross FROM orders',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'amount', type: 'double' },
        { name: 'gross', type: 'double' },
      ],
      rows: [[1, 12.5, 14.88]],
      rowCount: 1,
      truncated: false,
      athena: {
        moves: true,
        sql: 'SELECT id, amount, round(amount * 1.19, 2) AS gross FROM orders',
        reasons: [],
      },
      basedOnRunId: IDS.run,
      upstreamMode: 'last_run',
    },
  },
};

const suggestionExamples: ExamplesOf<typeof suggestions> = {
  suggestOps: {
    request: {
      description: 'Totals by customer, without cancelled orders',
      upstreamIds: ['orders'],
      currentOps: [{ op: 'filter', condition: 'amount IS NOT NULL' }],
    },
    reply: {
      ops: [
        { op: 'filter', condition: "amount IS NOT NULL AND status <> 'cancelled'" },
        {
          op: 'aggregate',
          groupBy: ['customer'],
          measures: [{ column: 'amount', fn: 'sum', as: 'total' }],
        },
      ],
      explanation: 'Leaves out cancelled orders and sums the amounts of each customer.',
      confidence: 0.9,
      diagnostics: [],
      columns: [
        { name: 'customer', type: 'string' },
        { name: 'total', type: 'decimal(38,2)' },
      ],
      previewRows: [
        ['Ada', '19.75'],
        ['Grace', '990.00'],
      ],
      basedOnRunId: IDS.run,
    },
  },
};

export const examples = { ...lineageExamples, ...previewExamples, ...suggestionExamples };
