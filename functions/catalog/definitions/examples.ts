import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const digest = '5f2b51ca2fdc5baa31ec02e002f69aec2f0ec1b1c7ef0b0d2f7f6ad2a2b6c0f4';
const fileDigest = '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab';
const managedBy = { project: 'shop', path: 'queries/top-customers.yaml', commit: 'a1b2c3d' };
const entry = {
  kind: 'query',
  key: 'top-customers',
  id: IDS.savedQuery,
  name: 'Top customers',
  revision: 3,
  managedBy,
  applied: { digest, fileDigest, revision: 3, at: CHANGED_AT, by: IDS.user },
  digest,
} as const;
const LEASE = '019b2f4e-7c11-7a52-9d0e-5f3b8a6c1d20';
const yaml = `name: Top customers
sql: |
  SELECT customer, sum(amount) AS revenue
  FROM orders
  GROUP BY 1
`;

export const examples: ExamplesOf<typeof routes> = {
  listDefinitions: { reply: { items: [entry], total: 1, limit: 1000, offset: 0 } },
  listDefinitionKinds: {
    reply: {
      items: [
        {
          kind: 'query',
          noun: 'saved query',
          references: ['source', 'dataset'],
          keyMembers: { source: 'source', datasets: 'dataset' },
          schema: { type: 'object', required: ['name', 'sql'], properties: { name: { type: 'string' } } },
        },
      ],
    },
  },
  getDefinition: { reply: { ...entry, yaml, base: yaml } },
  compareDefinitionSecrets: {
    request: { items: [{ kind: 'source', key: 'shop', secrets: { SHOP_PASSWORD: 'correct horse battery staple' } }] },
    reply: { items: [{ kind: 'source', key: 'shop', changed: ['SHOP_PASSWORD'] }] },
  },
  deployDefinition: {
    request: { yaml, managedBy },
    reply: {
      kind: 'query',
      key: 'top-customers',
      id: IDS.savedQuery,
      digest,
      revision: 4,
      dryRun: false,
      isAllowed: true,
      outcome: 'changed',
      omitted: [],
      changes: { added: [], changed: ['sql'], removed: ['folder'] },
    },
  },
  deleteDefinition: {},
  moveDefinition: {
    request: { to: 'best-customers', managedBy: { ...managedBy, path: 'queries/best-customers.yaml' } },
    reply: { kind: 'query', key: 'best-customers', id: IDS.savedQuery },
  },
  holdDeploymentLease: {
    request: { id: LEASE, client: 'build-7.acme.example', seconds: 60 },
    reply: {
      ...{ project: 'shop', id: LEASE, userId: IDS.user, client: 'build-7.acme.example' },
      ...{ startedAt: CHANGED_AT, expiresAt: '2026-02-03T16:41:05.250Z' },
    },
  },
  releaseDeploymentLease: {},
};
