/** The kinds of objects that have keys: files define them or refer to them. */
export const OBJECT_KINDS = ['source', 'dataset', 'query', 'theme'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];
