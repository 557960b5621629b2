import type { Principal } from '../../../platform/auth/principal.ts';
import { DATASETS } from '../models/index.ts';
import { lastingClass } from './lasting-class.ts';
import { type RightsDeps, rightsOfCaller } from './table-rights.ts';

/** What the caller sees of the datasets as a class, for rows of any of them that are stored and sent later. */
export const classOfDatasets = async (deps: RightsDeps, principal: Principal): Promise<string> =>
  lastingClass(await rightsOfCaller(deps, principal).to({ sourceId: DATASETS, tables: 'all' }));
