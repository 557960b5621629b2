/** The kinds of objects that have keys: files define them or refer to them. */
export const OBJECT_KINDS = [
  'source',
  'dataset',
  'query',
  'model',
  'metric',
  'quality-test',
  'pipeline',
  'dashboard',
  'theme',
  'webhook',
  'group',
  'term',
  'alert',
  'blend',
  'report',
  'flowlet',
] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];
