import type { Table } from '../../../platform/storage/table.ts';
import { untrustedTables } from '../../quality/index.ts';
import { isSamePlace } from '../../semantics/models/index.ts';
import { type AdvancePolicy, advance, type ClassState, type Finding } from '../conditions/index.ts';
import type { AlertRecord } from '../rules/index.ts';
import type { OpenedCondition } from '../sources/index.ts';
import type { ReasonedFinding } from './answers.ts';

const NOT_TRUSTED: Finding = {
  kind: 'error',
  error: {
    code: 'DATA_NOT_TRUSTED',
    message: 'A table that the condition reads has an open critical issue, or its rows are late.',
  },
};

interface Held {
  alert: AlertRecord;
  reads: OpenedCondition['reads'];
  before: ClassState;
  at: string;
  policy: AdvancePolicy;
}

/** The findings. If the rule wants so, those that would fire are errors while the data is not to be trusted. */
export async function trustedFindings(
  table: Table,
  { alert, reads, before, at, policy }: Held,
  findings: ReasonedFinding[],
): Promise<ReasonedFinding[]> {
  if (!alert.holdOnQuality) return findings;
  const { edges = [] } = advance(before, { at, findings }, { ...policy, isSnoozed: false }) ?? {};
  const fired = new Set(edges.filter(({ edge }) => edge === 'fire').map(({ group }) => group));
  if (fired.size === 0 || !(await isUntrusted(table, alert.workspaceId, reads))) return findings;
  const held = [...fired].map((group) => ({ group, finding: NOT_TRUSTED, value: null, reason: null }));
  return [...findings.filter(({ group }) => !fired.has(group)), ...held];
}

async function isUntrusted(table: Table, workspaceId: string, reads: Held['reads']): Promise<boolean> {
  const untrusted = await untrustedTables(table, workspaceId);
  return reads.some(({ sourceId, places }) =>
    untrusted.some(
      ({ sourceId: of, schemaName: schema, tableName }) =>
        of === sourceId &&
        (places === 'all' || places.some((place) => isSamePlace(place, { schema, table: tableName }))),
    ),
  );
}
