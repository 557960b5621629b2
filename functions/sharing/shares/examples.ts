import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { exampleCard } from '../../boards/common/example-card.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const share = {
  id: IDS.share,
  workspaceId: IDS.workspace,
  contentType: 'dashboard',
  contentId: IDS.dashboard,
  shareType: 'rls',
  rlsContext: { attributes: { region: ['North'] } },
  tokenPrefix: 'sh_Jx4Qm',
  hasPassword: false,
  preview: 'title',
  allowExport: false,
  status: 'active',
  viewCount: 12,
  lastAccessedAt: CHANGED_AT,
  allowAi: false,
  aiRatePerHour: 20,
  aiUsedThisHour: 0,
  events: { view: 0, filter: 3, select: 0, export: 1, error: 0 },
  expiresAt: '2026-12-31T00:00:00.000Z',
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
} as const;
const token = 'sh_Jx4QmT8vB2nL6yRk1cWd9aHs3fGz7pXe';
const content = {
  contentType: 'dashboard',
  title: 'Sales',
  description: 'Revenue by region',
  theme: null,
  pages: [{ id: 'overview', name: 'Overview', isHidden: false }],
  cards: [
    {
      id: 'sales-by-region',
      cardType: 'chart',
      title: 'Sales by region',
      description: '',
      position: { x: 0, y: 0, w: 12, h: 8 },
      chartSpec: { version: 1, mark: { type: 'bar' }, encoding: { x: { field: 'Region' }, y: { field: 'Sales' } } },
      textContent: null,
      imageUrl: null,
      value: null,
      pageId: 'overview',
      hasRows: true,
      parameters: [],
    },
  ],
  filters: [
    {
      id: IDS.filter,
      fieldId: IDS.modelField,
      filterType: 'multi_select',
      label: 'Region',
      defaultValue: null,
      linkedCardIds: [],
    },
  ],
  parameters: [],
  sections: [],
} as const;
const data = { ...exampleCard, cache: 'hit' } as const;
const { cardId: _cardId, aiSummary: _aiSummary, ...rows } = data;
const block = { blockId: 'by-region', ...rows };
const filters = [{ filterId: IDS.filter, op: 'in', values: ['North'] }] as const;

export const examples: ExamplesOf<typeof routes> = {
  listShares: { reply: page([share]) },
  createShare: {
    request: {
      contentType: 'dashboard',
      contentId: IDS.dashboard,
      shareType: 'rls',
      rlsContext: { attributes: { region: ['North'] } },
      expiresAt: '2026-12-31T00:00:00.000Z',
    },
    reply: {
      ...share,
      viewCount: 0,
      lastAccessedAt: null,
      events: { view: 0, filter: 0, select: 0, export: 0, error: 0 },
      token,
      url: `https://analytics.example.com/api/s/${token}`,
    },
  },
  deleteShare: {},
  setShareAi: {
    request: { allowAi: true, aiRatePerHour: 50 },
    reply: { ...share, allowAi: true, aiRatePerHour: 50, revision: 2 },
  },
  getSharedLink: {
    reply: {
      contentType: 'dashboard',
      title: 'Sales',
      kind: 'share',
      passwordRequired: false,
      theme: null,
      expiresAt: null,
      allowExport: false,
      allowAi: true,
    },
  },
  openSharedContent: { request: { password: 'correct horse battery' }, reply: content },
  getSharedContent: { reply: content },
  readSharedCard: { request: { cardId: 'sales-by-region', filters }, reply: data },
  readSharedCards: {
    request: { cards: [{ cardId: 'sales-by-region', filters }] },
    reply: { cards: [{ cardId: 'sales-by-region', data, problem: null }] },
  },
  readSharedModelCard: {
    request: { cardId: 'sales-by-region', distinctFieldId: IDS.modelField },
    reply: {
      ...data,
      columns: [{ name: 'value', role: 'dimension', type: 'string', format: null, fieldId: IDS.modelField }],
      rows: [['North']],
    },
  },
  readSharedBlock: {
    request: {
      blockId: 'by-region',
      parameters: [{ name: 'regions', value: ['North'] }],
      filters: [{ fieldId: IDS.modelField, op: 'in', values: ['North'] }],
    },
    reply: block,
  },
  drawSharedCard: { request: { cardId: 'sales-by-region', filters } },
  downloadSharedCard: { request: { cardId: 'sales-by-region', filters } },
  askShared: {
    request: { message: 'Which region leads?', history: [] },
    reply: { answer: 'North leads with sales of 1,250.50.', cardIds: ['sales-by-region'], remainingThisHour: 19 },
  },
  recordSharedEvents: {
    request: { events: [{ type: 'view' }, { type: 'filter', cardId: 'sales-by-region' }] },
    reply: { recorded: 2 },
  },
};
