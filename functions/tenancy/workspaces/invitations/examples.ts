import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const invitation = {
  id: IDS.invitation,
  workspaceId: IDS.workspace,
  email: 'grace@example.com',
  role: 'editor',
  groupIds: [IDS.group],
  invitedBy: IDS.user,
  expiresAt: '2026-01-19T08:15:30.000Z',
  sentAt: null,
  token: null,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
  revision: 1,
};
const sent = { ...invitation, sentAt: '2026-01-12T08:15:31.400Z' };

export const examples: ExamplesOf<typeof routes> = {
  createInvitation: {
    request: { email: 'grace@example.com', role: 'editor', groupIds: [IDS.group] },
    reply: invitation,
  },
  listInvitations: { reply: page([sent]) },
  getInvitation: { reply: sent },
  resendInvitation: {
    reply: { ...invitation, expiresAt: '2026-02-10T16:40:05.250Z', updatedAt: CHANGED_AT, revision: 2 },
  },
  deleteInvitation: {},
};
