import Value from 'typebox/value';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { openTable } from '../../../../shared/platform/storage/table.ts';
import { applyChange, readState } from './apply-change.ts';
import { type ChangedEntitlements, EntitlementChange } from './change.ts';

const table = openTable(environment('TABLE_NAME'));

/** Makes the change, which takes effect within seconds, and returns what is stored then. */
export async function handler(event: unknown): Promise<ChangedEntitlements> {
  if (!Value.Check(EntitlementChange, event)) {
    const issues = Value.Errors(EntitlementChange, event).map(
      (issue) => `${issue.instancePath || '/'} ${issue.message}`,
    );
    throw new Error(`Invalid change: ${issues.join('; ')}`);
  }
  await applyChange(table, event);
  return readState(table, event.companyId);
}
