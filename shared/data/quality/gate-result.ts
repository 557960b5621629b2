import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Nullable, StringEnum } from '../../platform/http/schemas.ts';
import type { Sample } from './evaluate.ts';
import { SEVERITIES, TEST_TYPES } from './tests.ts';

export const GATE_ACTIONS = ['fail', 'warn', 'quarantine', 'drop'] as const;

export const GATE_STATUSES = ['passed', 'failed', 'warned', 'error', 'skipped'] as const;
export type GateStatus = (typeof GATE_STATUSES)[number];

export const gateResultProperties = {
  gateId: Type.String(),
  type: StringEnum(TEST_TYPES),
  column: Nullable(Type.String()),
  severity: StringEnum(SEVERITIES),
  action: StringEnum(GATE_ACTIONS),
  status: StringEnum(GATE_STATUSES, {
    description: '`error`: the gate could not be evaluated; `skipped`: there were no rows to check.',
  }),
  evaluatedRows: Nullable(Type.Integer()),
  failedRows: Nullable(Type.Integer()),
  failedPercent: Nullable(Type.Number()),
  removedRows: Type.Integer({ description: 'Rows that this gate has quarantined or dropped.' }),
  message: Nullable(Type.String()),
};

export const GateResult = Type.Object(gateResultProperties, {
  $id: 'GateResult',
  description: 'What a quality gate has found in the rows of one step.',
});
export type GateResult = Static<typeof GateResult>;

/** With a sample of the failing rows, for callers who may read the data. */
export type SampledResult = GateResult & { sample: Sample | null };

export function withoutSample({ sample: _sample, ...result }: SampledResult): GateResult {
  return result;
}
