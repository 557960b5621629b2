import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS, page } from '../../../platform/example-values.ts';
import { model } from '../examples.ts';
import type * as routes from './routes.ts';

const version = {
  version: 1,
  publishedBy: IDS.user,
  publishedAt: CHANGED_AT,
  gate: { passed: true, overridden: false, reasons: [] },
  overrideReason: null,
  tableCount: 2,
  fieldCount: 14,
  measureCount: 3,
};

export const examples: ExamplesOf<typeof routes> = {
  publishModel: { request: {}, reply: version },
  listModelVersions: { reply: page([version]) },
  restoreModelVersion: {
    reply: {
      ...model,
      status: 'published',
      latestVersion: 1,
      publishedAt: CHANGED_AT,
      staleMeasures: 0,
      health: { errors: 0, warnings: 0 },
      whereUsed: `/api/catalog/lineage/model/${IDS.model}?direction=down`,
    },
  },
};
