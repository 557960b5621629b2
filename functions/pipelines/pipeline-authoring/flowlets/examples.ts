import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const content = {
  name: 'with tax',
  description: 'Adds the gross amount',
  params: [
    { name: 'rate', type: 'number', default: 19, required: false },
    { name: 'of', type: 'column', required: true },
  ],
  inputs: [{ name: 'rows', columns: [{ name: 'net', type: 'decimal(18,2)' }] }],
  ops: [
    { op: 'filter', condition: '{{ flowlet.of }} IS NOT NULL' },
    { op: 'derive', column: 'gross', expression: 'round({{ flowlet.of }} * (100 + {{ flowlet.rate }}) / 100.0, 2)' },
    { op: 'cast', column: { param: 'of' }, type: 'double' },
  ],
};

const flowlet = {
  ...{ id: IDS.flowlet, seriesId: IDS.flowlet, version: 1, ...content },
  ...{ createdBy: IDS.user, createdAt: CREATED_AT, key: null, managedBy: null },
};

export const examples: ExamplesOf<typeof routes> = {
  saveFlowlet: { request: { ...content, expectedVersion: 0 }, reply: flowlet },
  listFlowlets: { reply: page([flowlet]) },
  getFlowlet: { reply: flowlet },
  listFlowletVersions: { reply: page([flowlet]) },
  retireFlowlet: {},
  instantiateFlowlet: {
    request: { params: { of: 'net', rate: 7 } },
    reply: {
      flowletId: IDS.flowlet,
      version: 1,
      ops: [
        { op: 'filter', condition: '"net" IS NOT NULL' },
        { op: 'derive', column: 'gross', expression: 'round("net" * (100 + (7)) / 100.0, 2)' },
        { op: 'cast', column: 'net', type: 'double' },
      ],
      requiredColumns: [{ input: 'rows', name: 'net', type: 'decimal(18,2)' }],
      outputColumns: [
        { name: 'net', type: 'double' },
        { name: 'gross', type: null },
      ],
    },
  },
};
