import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEVERITIES, TEST_TYPES } from '../../../data/quality/tests.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';

export const SUGGESTION_STATUSES = ['pending', 'applied', 'dismissed', 'expired'] as const;
export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

/** A suggestion expires this long after the last scan that supported it. */
export const SUGGESTION_MS = 30 * DAY_MS;

export const SuggestionEvidence = Type.Object(
  {
    scanId: Type.Unsafe<string>({ ...Id, description: 'The newest scan that supports the suggestion.' }),
    datasetVersion: Nullable(Type.Integer()),
    rowCount: Type.Integer({ description: 'The number of rows of the table.' }),
    evaluatedRows: Type.Integer({ description: 'The number of rows that the test was run on.' }),
    scans: Type.Integer({
      minimum: 1,
      description: 'The number of consecutive scans that support the suggestion, at most 2.',
    }),
    reason: Type.String({ description: 'What the scan found, as a sentence.' }),
  },
  { $id: 'QualitySuggestionEvidence', description: 'Why a test is suggested.' },
);
export type SuggestionEvidence = Static<typeof SuggestionEvidence>;

export const suggestionProperties = {
  id: Id,
  workspaceId: Id,
  status: StringEnum(SUGGESTION_STATUSES),
  sourceId: Type.String({ description: 'The data source of the table; `datasets` for a dataset.' }),
  schemaName: Type.String({ description: 'Empty for a dataset.' }),
  tableName: Type.String(),
  columnName: Nullable(Type.String({ description: 'Null for a test of the whole table.' })),
  testType: StringEnum(TEST_TYPES),
  config: Type.Record(Type.String(), Type.Unknown(), { description: 'The settings of the suggested test.' }),
  severity: StringEnum(SEVERITIES),
  name: Type.String({ description: 'The name of the suggested test.' }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How likely it is that the rule is intended.' }),
  estimatedFailures: Type.Integer({
    minimum: 0,
    description: 'The number of rows that fail now. It is within the limit of the test, so the test passes.',
  }),
  evidence: SuggestionEvidence,
  testId: Nullable(
    Type.Unsafe<string>({ ...Id, description: 'The test that was created when the suggestion was applied.' }),
  ),
  decidedBy: Nullable(Type.Unsafe<string>({ ...Id, description: 'The user who applied or dismissed the suggestion.' })),
  validUntil: Type.Unsafe<string>({
    ...Timestamp,
    description: 'When a pending suggestion expires unless another scan supports it.',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const SuggestionRecord = Type.Object(suggestionProperties);
export type QualitySuggestion = Static<typeof SuggestionRecord>;

export interface StoredSuggestion extends QualitySuggestion {
  tableKey: string;
  /** The dataset that was scanned, whose name another one may get. Null for tables of data sources. */
  datasetId: string | null;
}

/** A pending suggestion expires even if no other scan runs. */
export function showSuggestion(
  { tableKey: _key, datasetId: _id, ...suggestion }: StoredSuggestion,
  now: Date,
): QualitySuggestion {
  return { ...suggestion, status: statusAt(suggestion, now) };
}

export function statusAt(
  { status, validUntil }: Pick<StoredSuggestion, 'status' | 'validUntil'>,
  now: Date,
): SuggestionStatus {
  return status === 'pending' && Date.parse(validUntil) <= now.getTime() ? 'expired' : status;
}
