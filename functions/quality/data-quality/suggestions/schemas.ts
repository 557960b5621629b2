import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SUGGESTION_STATUSES, suggestionProperties } from '../../../../shared/domains/quality/index.ts';
import { idParams, Page, SortedListQuery, StringEnum } from '../../../../shared/platform/http/schemas.ts';

export const SuggestionParams = idParams('suggestion');

export const QualitySuggestion = Type.Object(suggestionProperties, {
  $id: 'DataQualitySuggestion',
  description: 'A test that a scan suggests, based on the values of the table. The test passes on these values.',
});
export type QualitySuggestion = Static<typeof QualitySuggestion>;
export const QualitySuggestionPage = Page(QualitySuggestion);

export const SuggestionListQuery = Type.Object({
  ...SortedListQuery.properties,
  status: Type.Optional(StringEnum(SUGGESTION_STATUSES, { description: 'Only suggestions with this status.' })),
  tableName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1300,
      description: 'Only suggestions for this table: the name of a dataset, or `schema.table`.',
    }),
  ),
});
export type SuggestionListQuery = Static<typeof SuggestionListQuery>;
