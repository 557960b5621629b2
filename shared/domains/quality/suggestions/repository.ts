import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { StoredSuggestion } from './records.ts';

export type SuggestionRepository = Collection<StoredSuggestion>;

/** Scans write no audit log, which is about what people do. */
export const suggestionRepository = (table: Table): SuggestionRepository =>
  collection<StoredSuggestion>(table, { entity: 'quality-suggestion' });

/** For what people decide. */
export const auditedSuggestions = (table: Table): SuggestionRepository =>
  collection<StoredSuggestion>(table, {
    entity: 'quality-suggestion',
    logs: auditedRecords<StoredSuggestion>(table, {
      subject: 'quality_suggestion',
      name: ({ name }) => name,
      members: { status: 'shown', testId: 'shown' },
    }),
  });
