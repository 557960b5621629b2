import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const EXPIRES_AT = '2027-01-31T00:00:00.000Z';

const state = {
  type: 'dashboard',
  id: IDS.dashboard,
  name: 'Sales',
  isCertified: true,
  status: 'certified',
  certifiedBy: 'Finance',
  by: IDS.user,
  at: CHANGED_AT,
  note: 'Compared with the annual report.',
  expiresAt: EXPIRES_AT,
  replacedBy: null,
  removeAfter: null,
  revision: 4,
} as const;

export const examples: ExamplesOf<typeof routes> = {
  getCertification: { reply: state },
  setCertification: {
    request: { status: 'certified', certifiedBy: 'Finance', note: state.note, expiresAt: EXPIRES_AT },
    reply: state,
  },
  listCertificationEvents: {
    reply: page([
      {
        id: IDS.certificationEvent,
        event: 'certified',
        by: IDS.user,
        at: CHANGED_AT,
        status: 'certified',
        certifiedBy: 'Finance',
        note: state.note,
        expiresAt: EXPIRES_AT,
        because: null,
      },
    ]),
  },
};
