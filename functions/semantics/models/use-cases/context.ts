import type { FindBroken, FindUsedParts } from '../../../../shared/domains/catalog/lineage/index.ts';
import {
  type Act,
  applyEdit,
  assertKeepsProtection,
  type Definitions,
  type Edit,
  type ModelDefinition,
  type ModelRepository,
  type ModelVersions,
  policiesElsewhere,
  type ReadSourceTables,
} from '../../../../shared/domains/semantics/models/index.ts';
import type { Certifications, CertifyingDeps } from '../../../../shared/domains/tenancy/certifications/index.ts';
import type { ObjectGrants, ObjectPermissions } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { DeleteUnused } from '../../../../shared/domains/upkeep/referrers/index.ts';
import type { DataSourceRepository } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { Table, TransactItem } from '../../../../shared/platform/storage/table.ts';

export interface ModelDeps {
  table: Table;
  models: ModelRepository;
  certifications: Certifications;
  members: CertifyingDeps['members'];
  definitions: Definitions;
  versions: ModelVersions;
  sources: DataSourceRepository;
  sourceTables: ReadSourceTables;
  grants: ObjectGrants;
  permissions: ObjectPermissions;
  cursors: Cursors;
  deleteUnused: DeleteUnused;
  findBroken: FindBroken;
  findUsedParts: FindUsedParts;
  cleanUpItem(ended: Ended): TransactItem;
  cleanUpNow(ended: Ended): Promise<void>;
  now(): Date;
}

export interface EditCommand {
  workspaceId: string;
  modelId: string;
  userId: string;
  /** Whether the caller may change what row-level security and sensitivity labels protect. */
  mayUnprotect: boolean;
  /** Whether the edit brings the model up to date with its source. */
  isSync?: boolean;
}

/**
 * Applies an edit to the newest definition, and again if another editor was faster. `rule` must be pure: it may run
 * several times. Throws `MODEL_NOT_FOUND` and what the rule throws.
 */
export function editModel(
  deps: Pick<ModelDeps, 'table' | 'definitions' | 'now'>,
  { workspaceId, modelId, userId, mayUnprotect, isSync = false }: EditCommand,
  rule: (definition: ModelDefinition, act: Act) => Edit,
  also: readonly TransactItem[] = [],
): Promise<ModelDefinition> {
  return onNewest('STALE_WRITE', async () => {
    const definition = await deps.definitions.read({ workspaceId, modelId });
    const at = deps.now();
    const edit = rule(definition, { by: userId, at });
    if (isEmpty(edit)) return definition;
    const model = { hasUnpublishedChanges: true, ...edit.model };
    const after = applyEdit(definition, { ...edit, model });
    if (!mayUnprotect) {
      const checked = isSync ? applyEdit(definition, additionsOf(definition, edit)) : after;
      assertKeepsProtection(definition, checked, await policiesElsewhere(deps, definition));
    }
    return deps.definitions.commit(definition, after, also);
  });
}

/**
 * What a sync adds. What it brings up to date follows the source and lifts nothing: a policy shows no rows if its
 * column has another type than its field.
 */
const additionsOf = ({ tables, fields }: ModelDefinition, { put = {} }: Edit): Edit => ({
  put: {
    tables: (put.tables ?? []).filter(({ id }) => !tables.has(id)),
    fields: (put.fields ?? []).filter(({ id }) => !fields.has(id)),
  },
});

function isEmpty({ put = {}, remove = {}, model }: Edit): boolean {
  return model === undefined && [...Object.values(put), ...Object.values(remove)].every((list) => list.length === 0);
}
