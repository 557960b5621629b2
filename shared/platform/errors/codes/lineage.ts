import type { ErrorTable } from '../error-kind.ts';

export const LINEAGE_ERRORS = {
  LINEAGE_OBJECT_NOT_FOUND: ['notFound', 'The workspace has no such object. Check `type` and `id`.'],
  LINEAGE_COLUMN_NOT_FOUND: [
    'notFound',
    'The object has no such column, field, measure, card or block, or several of this name. Request its lineage with the id instead.',
  ],
} as const satisfies ErrorTable;
