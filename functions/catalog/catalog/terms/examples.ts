import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const content = {
  name: 'Annual recurring revenue',
  definition: 'The yearly value of all subscriptions that run today, without one-off services.',
  abbreviation: 'ARR',
  synonyms: ['recurring revenue'],
};

const term = {
  id: IDS.term,
  workspaceId: IDS.workspace,
  ...content,
  hiddenSynonyms: ['anual recurring revenue'],
  examples: null,
  tags: ['finance'],
  exactMatch: [],
  ownerIds: [IDS.user],
  reviewerIds: [],
  status: 'approved',
  createdBy: IDS.user,
  updatedBy: IDS.user,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};

const details = {
  ...term,
  relations: {
    broader: [{ id: IDS.broaderTerm, name: 'Revenue', status: 'approved' }],
    narrower: [],
    related: [],
    replacedBy: [],
    replaces: [],
  },
};

const link = {
  type: 'metric',
  objectId: IDS.metric,
  name: 'Recurring revenue',
  role: 'measuredBy',
  createdBy: IDS.user,
  createdAt: CREATED_AT,
};

const changes = { definition: 'The yearly value of all subscriptions that run today.' };

const proposal = {
  id: IDS.termProposal,
  termId: IDS.term,
  proposedBy: IDS.user,
  changes,
  before: { definition: content.definition },
  state: 'open',
  reason: null,
  decidedBy: null,
  decidedAt: null,
  createdAt: CREATED_AT,
};

const decided = { decidedBy: IDS.user, decidedAt: CHANGED_AT };

export const examples: ExamplesOf<typeof routes> = {
  listTerms: { reply: page([term]) },
  createTerm: {
    request: content,
    reply: {
      ...details,
      ...{ hiddenSynonyms: [], tags: [], ownerIds: [], status: 'draft' },
      relations: { broader: [], narrower: [], related: [], replacedBy: [], replaces: [] },
    },
  },
  getTerm: { reply: details },
  updateTerm: { request: changes, reply: { ...details, proposal } },
  deleteTerm: { reply: { id: IDS.term } },
  restoreTerm: { request: {}, reply: { ...details, updatedAt: CHANGED_AT, revision: 2 } },
  addTermRelation: {},
  removeTermRelation: {},
  listTermLinks: { reply: page([link]) },
  setTermLink: { request: { role: 'measuredBy' }, reply: link },
  removeTermLink: {},
  listTermProposals: { reply: page([proposal]) },
  acceptTermProposal: { reply: { ...details, ...changes, updatedAt: CHANGED_AT, revision: 2 } },
  rejectTermProposal: {
    request: { reason: 'One-off services are worth mentioning.' },
    reply: { ...proposal, state: 'rejected', reason: 'One-off services are worth mentioning.', ...decided },
  },
};
