import type { ErrorTable } from '../error-kind.ts';

export const LINEAGE_ERRORS = {
  LINEAGE_OBJECT_NOT_FOUND: ['notFound', 'The workspace has no such object. Check `type` and `id`.'],
} as const satisfies ErrorTable;
