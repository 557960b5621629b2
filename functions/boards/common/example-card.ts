import { CHANGED_AT, IDS } from '../../platform/example-values.ts';

export const exampleCard = {
  cardId: 'sales-by-region',
  columns: [
    { name: 'Region', role: 'dimension', type: 'string', format: null, fieldId: IDS.modelField },
    { name: 'Sales', role: 'measure', type: 'decimal', format: null },
  ],
  rows: [['North', '1250.50']],
  rowCount: 1,
  truncated: false,
  asOf: CHANGED_AT,
  cache: 'miss',
  timezone: 'UTC',
  ignoredFilters: [],
  warnings: [],
  aiSummary: null,
} as const;
