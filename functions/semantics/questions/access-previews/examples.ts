import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { IDS } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const accessExamples: ExamplesOf<typeof routes> = {
  previewAccess: {
    request: { userId: IDS.user },
    reply: {
      userId: IDS.user,
      role: 'viewer',
      groups: ['Sales'],
      attributes: { region: ['eu', 'us'] },
      tables: [
        {
          tableId: IDS.modelTable,
          alias: 'orders',
          rows: 'some',
          policies: [
            {
              modelId: IDS.model,
              policyId: IDS.policy,
              name: 'Own region',
              filterExpression: '[orders.region] IN user.attr("region")',
              applies: true,
              isUsable: true,
            },
          ],
          condition: '("region" IN (SELECT unnest(CAST($1 AS VARCHAR[]))))',
          params: [['eu', 'us']],
          hiddenColumns: ['margin'],
          visibleRows: 1250,
        },
      ],
      deniedFieldIds: [IDS.modelField],
    },
  },
};
