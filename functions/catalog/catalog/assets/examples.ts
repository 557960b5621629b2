import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const asset = {
  type: 'metric',
  id: IDS.metric,
  name: 'Monthly revenue',
  description: 'Revenue of paid orders, net of refunds.',
  ownerIds: [IDS.user],
  domainId: IDS.catalogDomain,
  tags: ['finance', 'kpi'],
  isCertified: true,
  certifiedBy: 'Finance',
  certifiedAt: CHANGED_AT,
  deprecation: null,
  updatedAt: CHANGED_AT,
} as const;

const usage = { views30d: 214, queries30d: 35, lastUsedAt: CHANGED_AT, trend: 'rising' } as const;
const details = {
  ...asset,
  usage: { ...usage, viewers30d: 31 },
  terms: [{ id: IDS.term, name: 'Revenue', status: 'approved', role: 'measuredBy' }],
  fields: [],
  qualityScore: null,
  freshness: null,
} as const;

export const examples: ExamplesOf<typeof routes> = {
  listCatalogAssets: { reply: page([{ ...asset, usage }]) },
  getCatalogAsset: { reply: details },
  setCatalogEntry: {
    request: { ownerIds: [IDS.user], domainId: IDS.catalogDomain, tags: ['Finance', 'KPI'] },
    reply: details,
  },
  listCatalogTags: { reply: page([{ tag: 'finance', count: 12 }]) },
};
