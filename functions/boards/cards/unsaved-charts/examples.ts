import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { CHANGED_AT, IDS } from '../../../platform/example-values.ts';
import { exampleCard } from '../../common/example-card.ts';
import type * as routes from './routes.ts';

const { cardId: _cardId, aiSummary: _aiSummary, ...rows } = exampleCard;
const query = {
  source: { kind: 'model', id: IDS.model },
  dimensions: [{ fieldId: IDS.modelField, label: 'Region' }],
  measures: [{ measureId: IDS.measure, label: 'Sales' }],
} as const;
const look = {
  mark: { type: 'bar' },
  encoding: { x: { field: 'Region', sort: '-y' }, y: { field: 'Sales' } },
} as const;

export const unsavedChartExamples: ExamplesOf<typeof routes> = {
  previewChart: { request: { chartSpec: { version: 1, query, ...look } }, reply: rows },
  suggestCharts: {
    request: { query },
    reply: {
      suggestions: [
        { cardType: 'chart', look, reason: 'The lengths of bars are easy to compare.' },
        { cardType: 'table', look: { mark: { type: 'table' } }, reason: 'A table shows every row as it is.' },
      ],
      columns: [...rows.columns],
      rowCount: 1,
      truncated: false,
      asOf: CHANGED_AT,
      warnings: [],
    },
  },
};
