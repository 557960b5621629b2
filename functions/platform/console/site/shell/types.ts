import type { IconName } from '../ui/icon-names.ts';

/** How types of objects are called and drawn. */
const TYPES: Readonly<Record<string, { label: string; icon: IconName }>> = {
  alert: { label: 'Alert', icon: 'siren' },
  blend: { label: 'Blend', icon: 'boxes' },
  card: { label: 'Card', icon: 'chart-column' },
  cdc_stream: { label: 'Stream', icon: 'radio' },
  dashboard: { label: 'Dashboard', icon: 'layout-dashboard' },
  data_source: { label: 'Source', icon: 'database' },
  dataset: { label: 'Dataset', icon: 'table' },
  digest: { label: 'Digest', icon: 'bell' },
  field: { label: 'Field', icon: 'list' },
  metric: { label: 'Metric', icon: 'gauge' },
  model: { label: 'Model', icon: 'boxes' },
  pipeline: { label: 'Pipeline', icon: 'workflow' },
  quality_issue: { label: 'Issue', icon: 'shield-check' },
  quality_test: { label: 'Test', icon: 'shield-check' },
  report: { label: 'Report', icon: 'file' },
  run: { label: 'Run', icon: 'play' },
  saved_query: { label: 'Query', icon: 'terminal' },
  share: { label: 'Share link', icon: 'share-2' },
  story: { label: 'Story', icon: 'book-open' },
  term: { label: 'Term', icon: 'book-open' },
  webhook: { label: 'Webhook', icon: 'webhook' },
};

export const typeOf = (type: string): { label: string; icon: IconName } =>
  TYPES[type] ?? { label: type.replaceAll('_', ' '), icon: 'file' };

const NAMES: Readonly<Record<string, string>> = { source: 'data_source', 'metric-digest': 'digest' };

/** The type of an object as search results name it; the catalog writes it with dashes. */
export const objectType = (type: string): string => NAMES[type] ?? type.replaceAll('-', '_');
