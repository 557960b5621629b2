import type { Static } from 'typebox';
import * as Type from 'typebox';
import { termMembers } from '../../../../shared/domains/catalog/terms/index.ts';
import { Id, Nullable, StringEnum } from '../../../../shared/platform/http/schemas.ts';

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
export const MAX_LISTED_CHANGES = 1_000;

export const ImportTermsQuery = Type.Object({
  dryRun: Type.Boolean({ default: false, description: 'Whether to list the changes without making them.' }),
});

export const ImportTerms = Type.Object(
  {
    csv: Type.String({
      minLength: 1,
      maxLength: MAX_IMPORT_BYTES,
      description: 'The file. With `Content-Type: text/csv`, the body is the file itself.',
    }),
  },
  { $id: 'ImportTerms', description: 'A glossary as CSV, with the names of the columns in the first line.' },
);

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const TermImport = Type.Object(
  {
    dryRun: Type.Boolean(),
    finished: Type.Boolean({
      description:
        'Whether everything is written. If not, the rest follows by itself, and terms cannot be changed until then.',
    }),
    total: count('The number of rows.'),
    created: count('New terms.'),
    updated: count('Terms that change.'),
    proposed: count('Terms that the caller may not change: their changes become proposals.'),
    unchanged: count('Rows that are the same as their terms.'),
    changes: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ minimum: 1, description: 'The line of the file.' }),
          id: Nullable(Id),
          name: Type.String({ description: 'The name of the term after the import.' }),
          action: StringEnum(['created', 'updated', 'proposed']),
          members: Type.Array(StringEnum([...Object.keys(termMembers), 'broader', 'related', 'replacedBy']), {
            description: 'The fields of the term that change.',
          }),
        },
        { $id: 'TermImportChange', description: 'A row that changes a term. A dry run creates no ids.' },
      ),
      { maxItems: MAX_LISTED_CHANGES, description: 'The first 1,000 changes.' },
    ),
  },
  { $id: 'TermImport', description: 'What the import of a glossary has changed, or would change.' },
);
export type TermImport = Static<typeof TermImport>;
