import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const attributes = { region: ['eu', 'us'], department: 'finance' };

const reply = {
  workspaceId: IDS.workspace,
  userId: IDS.colleague,
  attributes,
  mapped: ['department'],
  updatedBy: IDS.user,
  updatedAt: CHANGED_AT,
  revision: 2,
};

export const examples: ExamplesOf<typeof routes> = {
  getMemberAttributes: { reply },
  setMemberAttributes: { request: { attributes: { region: ['eu', 'us'] } }, reply },
};
