import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SUGGESTION_STATUSES, suggestionProperties } from '../../shared/domains/quality/index.ts';
import { idParams, ListQuery, Page, StringEnum } from '../../shared/platform/http/schemas.ts';

export const SuggestionParams = idParams('suggestion');

export const QualitySuggestion = Type.Object(suggestionProperties, {
  $id: 'DataQualitySuggestion',
  description: 'A test that the values of a table suggest, and that passes on them.',
});
export type QualitySuggestion = Static<typeof QualitySuggestion>;
export const QualitySuggestionPage = Page(QualitySuggestion);

export const SuggestionListQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(StringEnum(SUGGESTION_STATUSES, { description: 'Only suggestions with this status.' })),
  tableName: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1300,
      description: 'Only suggestions for this dataset, or `schema.table`.',
    }),
  ),
});
export type SuggestionListQuery = Static<typeof SuggestionListQuery>;
