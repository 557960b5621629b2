import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEVERITIES } from '../../../../shared/data/quality/tests.ts';
import { ISSUE_STATUSES, ISSUE_TYPES, issueProperties } from '../../../../shared/domains/quality/index.ts';
import {
  Id,
  idParams,
  ListQuery,
  Nullable,
  Page,
  StringEnum,
  sortedBy,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

export const IssueParams = idParams('issue');

export const QualityIssue = Type.Object(issueProperties, {
  $id: 'DataQualityIssue',
  description: 'Something that is wrong with a table: all findings of one kind in one place.',
});
export type QualityIssue = Static<typeof QualityIssue>;
export const QualityIssuePage = Page(QualityIssue);

export const IssueListQuery = Type.Object({
  ...ListQuery.properties,
  sort: sortedBy(['lastSeenAt', 'firstSeenAt', 'createdAt', 'updatedAt'], '`-lastSeenAt`'),
  status: Type.Optional(StringEnum(ISSUE_STATUSES, { description: 'Only issues with this status.' })),
  severity: Type.Optional(StringEnum(SEVERITIES, { description: 'Only issues with this severity.' })),
  issueType: Type.Optional(StringEnum(ISSUE_TYPES, { description: 'Only issues of this type.' })),
  tableName: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1300, description: 'Only issues of this dataset, or `schema.table`.' }),
  ),
});
export type IssueListQuery = Static<typeof IssueListQuery>;

export const SetIssueStatus = Type.Object(
  {
    status: StringEnum(ISSUE_STATUSES),
    resolutionNote: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    assigneeId: Type.Optional(
      Nullable(Type.Unsafe<string>({ ...Id, description: 'The member of the workspace who works on it.' })),
    ),
    ignoreUntil: Type.Optional(
      Nullable(
        Type.Unsafe<string>({
          ...Timestamp,
          maxLength: 30,
          description: 'With `ignored`: until when further findings do not open the issue. Without it, never.',
        }),
      ),
    ),
  },
  { $id: 'SetDataQualityIssueStatus', description: 'What is decided about an issue.' },
);
export type SetIssueStatus = Static<typeof SetIssueStatus>;

const counts = (words: readonly string[], description: string) =>
  Type.Object(Object.fromEntries(words.map((word) => [word, Type.Integer({ minimum: 0 })])), { description });

export const IssueSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    byStatus: counts(ISSUE_STATUSES, 'All issues.'),
    bySeverity: counts(SEVERITIES, 'Those that are open or in progress.'),
    byType: counts(ISSUE_TYPES, 'Those that are open or in progress.'),
  },
  { $id: 'DataQualityIssueSummary', description: 'How many issues the workspace has.' },
);
export type IssueSummary = Static<typeof IssueSummary>;
