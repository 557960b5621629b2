import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { partPlace, partsPage, stamps } from '../tables/examples.ts';
import type * as routes from './routes.ts';

const changed = { updatedBy: IDS.colleague, updatedAt: CHANGED_AT, revision: 2 };

const ends = {
  fromTableId: IDS.customersTable,
  fromFieldId: IDS.customerKey,
  toTableId: IDS.modelTable,
  toFieldId: IDS.modelField,
};

const relationship = {
  id: IDS.relationship,
  ...partPlace,
  ...ends,
  joinType: 'left',
  cardinality: '1:N',
  isActive: true,
  aiDetected: false,
  ...stamps,
};

const levels = [
  { fieldId: IDS.customerKey, label: 'Region' },
  { fieldId: IDS.modelField, label: 'City' },
];

const hierarchy = {
  id: IDS.hierarchy,
  ...partPlace,
  name: 'Geography',
  tableId: IDS.customersTable,
  levels,
  ...stamps,
};

export const policy = {
  id: IDS.policy,
  ...partPlace,
  name: 'Own region',
  tableId: IDS.modelTable,
  filterExpression: '[orders.region] IN user.attr("region")',
  appliesTo: [{ type: 'role', id: 'viewer' }],
  stale: false,
  diagnostics: [],
  ...stamps,
};

export const examples: ExamplesOf<typeof routes> = {
  listRelationships: { reply: partsPage([relationship]) },
  createRelationship: { request: ends, reply: relationship },
  updateRelationship: { request: { isActive: false }, reply: { ...relationship, isActive: false, ...changed } },
  deleteRelationship: {},
  listHierarchies: { reply: partsPage([hierarchy]) },
  createHierarchy: { request: { name: 'Geography', tableId: IDS.customersTable, levels }, reply: hierarchy },
  updateHierarchy: { request: { name: 'Places' }, reply: { ...hierarchy, name: 'Places', ...changed } },
  deleteHierarchy: {},
  listRlsPolicies: { reply: partsPage([policy]) },
  createRlsPolicy: {
    request: {
      name: 'Own region',
      tableId: IDS.modelTable,
      filterExpression: '[orders.region] IN user.attr("region")',
      appliesTo: [{ type: 'role', id: 'viewer' }],
    },
    reply: policy,
  },
  updateRlsPolicy: {
    request: { appliesTo: [{ type: 'everyone' }] },
    reply: { ...policy, appliesTo: [{ type: 'everyone' }], ...changed },
  },
  deleteRlsPolicy: {},
};
