import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, CREATED_AT, IDS, page } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

const secret = {
  name: 'GEOCODER_KEY',
  description: 'Key of the geocoding service',
  createdBy: IDS.user,
  createdAt: CREATED_AT,
  updatedBy: IDS.colleague,
  updatedAt: CHANGED_AT,
  revision: 2,
};

export const examples: ExamplesOf<typeof routes> = {
  listSecrets: { reply: page([secret]) },
  getSecret: { reply: secret },
  putSecret: { request: { value: 'gk-7Q2x', description: 'Key of the geocoding service' }, reply: secret },
  deleteSecret: {},
};
