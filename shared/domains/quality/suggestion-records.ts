import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEVERITIES, TEST_TYPES } from '../../data/quality/tests.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../platform/http/schemas.ts';
import { DAY_MS } from '../../platform/schedule/durations.ts';

export const SUGGESTION_STATUSES = ['pending', 'applied', 'dismissed', 'expired'] as const;
export type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

/** A suggestion expires so long after the last scan that supported it. */
export const SUGGESTION_MS = 30 * DAY_MS;

export const SuggestionEvidence = Type.Object(
  {
    scanId: Type.Unsafe<string>({ ...Id, description: 'The last scan that supports the suggestion.' }),
    datasetVersion: Nullable(Type.Integer()),
    rowCount: Type.Integer({ description: 'The rows of the table.' }),
    evaluatedRows: Type.Integer({ description: 'The rows that the test was tried on.' }),
    scans: Type.Integer({ minimum: 1, description: 'How many scans in a row support it, at most 2.' }),
    reason: Type.String({ description: 'What the scan found.' }),
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
  name: Type.String({ description: 'The name that the test gets.' }),
  confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How likely the rule is meant to hold.' }),
  estimatedFailures: Type.Integer({
    minimum: 0,
    description: 'The rows that fail now. They are within the limit of the test, which passes.',
  }),
  evidence: SuggestionEvidence,
  testId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The test that an applied suggestion has become.' })),
  decidedBy: Nullable(Type.Unsafe<string>({ ...Id, description: 'Who has applied or dismissed it.' })),
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

/** Without another scan, a pending suggestion expires on its own. */
export function shownSuggestion(
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
