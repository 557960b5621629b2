import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { DownloadLink } from '../../../../shared/platform/http/schemas.ts';
import { ImportTerms, ImportTermsQuery, MAX_IMPORT_BYTES, TermImport } from './schemas.ts';

const CSV = 'text/csv';

export const exportTerms = defineRoute({
  operationId: 'exportTerms',
  method: 'GET',
  path: '/api/catalog/export',
  summary: 'Export all terms as CSV',
  description:
    'Sorted by name. Importing the file again changes nothing. The reply is the file itself if it is at most 4 MB, otherwise a link to it that is valid for 15 minutes. Links to objects and proposals are not part of the file.',
  permission: 'catalog:read',
  success: { status: 200, body: DownloadLink, contentTypes: [CSV, 'application/json'] },
});

export const importTerms = defineRoute({
  operationId: 'importTerms',
  method: 'POST',
  path: '/api/catalog/import',
  summary: 'Import terms from CSV',
  description:
    'At most 10,000 terms, all of them or none. A row changes the term with its `id`, or without one the term with its name; otherwise it creates a term. A column that the file does not have leaves that field unchanged, and an empty cell clears it. Rows that are the same as their terms change nothing, so repeating an import is safe. Changes of approved and deprecated terms by callers who do not review them become proposals. Issues have the line and column of the cell. Meanwhile, other changes of terms are rejected.',
  permission: 'catalog:write',
  query: ImportTermsQuery,
  body: ImportTerms,
  fileBody: { contentType: CSV, member: 'csv' },
  maxBodyBytes: MAX_IMPORT_BYTES,
  success: { status: 200, body: TermImport },
  errors: ['TERM_IMPORT_RUNNING'],
  audit: ['term.created', 'term.updated', 'term.proposed', 'term.related', 'term.unrelated'],
});
