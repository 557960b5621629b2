import {
  applyEdit,
  assertKeepsProtection,
  changesOf,
  type Edit,
  type FindBase,
  importFile,
  type ModelChanges,
  type ModelDefinition,
  type ModelRecord,
  measureReferences,
  policiesElsewhere,
  readModelFile,
  writeModelFile,
} from '../../../../shared/domains/semantics/models/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Content } from '../../../../shared/platform/http/content.ts';
import { expectingDocument } from '../../../../shared/platform/storage/expectation.ts';
import { namedReferrers } from '../../../../shared/platform/storage/referrers.ts';
import { editModel, type ModelDeps } from '../use-cases/context.ts';
import { refuseBreakingEdit } from '../use-cases/refuse-breaking-edit.ts';
import type { ModelFileReport } from './schemas.ts';

/** Only admins see policies, here as in their list. Throws `MODEL_TOO_LARGE`. */
export async function exportModel(
  deps: Pick<ModelDeps, 'definitions'>,
  { principal, id: modelId }: { principal: Principal; id: string },
): Promise<Content> {
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const { name, edition } = definition.model;
  const text = await writeModelFile(definition, { withPolicies: isPermitted('model-policies:manage', principal) });
  return new Content(text, { fileName: `${name}.yaml`, etag: `"${edition}"` });
}

/** A file extends models of the same source alone: its tables would be missing in others. */
export const baseFinder =
  ({ models, definitions }: Pick<ModelDeps, 'models' | 'definitions'>, model: ModelRecord): FindBase =>
  async (name) => {
    const { id, workspaceId, sourceId } = model;
    const found = await models.find(workspaceId, name);
    if (!found || found.id === id || found.sourceId !== sourceId) return undefined;
    return definitions.read({ workspaceId, modelId: found.id });
  };

interface ImportCommand {
  principal: Principal;
  id: string;
  yaml: string;
  dryRun: boolean;
  force: boolean;
  requestId: string;
}

/**
 * Throws what `importFile` throws, `FORBIDDEN` if row-level security would change by someone who may not change it, and
 * `REFERENCED` if measures of metrics or tables of blends would be gone, or, without `force`, if other objects would
 * break.
 */
export async function importModel(deps: ModelDeps, command: ImportCommand): Promise<ModelFileReport> {
  const { principal, id: modelId, yaml, dryRun, force, requestId } = command;
  const { workspaceId, userId } = principal;
  const place = { workspaceId, modelId };
  const { model } = await deps.definitions.read(place);
  const file = await readModelFile(yaml, baseFinder(deps, model));
  const source = await deps.sourceTables(model);
  const mayUnprotect = isPermitted('model-policies:manage', principal);
  return expectingDocument(modelId, async (check) => {
    let changes: ModelChanges | undefined;
    // The rule is asked several times, mostly about the same definition.
    const known = new WeakMap<ModelDefinition, { edit: Edit; changes: ModelChanges }>();
    const rule = (definition: ModelDefinition, act: { by: string; at: Date }): Edit => {
      check(definition.model.edition);
      const found = known.get(definition) ?? importInto(definition, act);
      known.set(definition, found);
      changes = found.changes;
      return found.edit;
    };
    const importInto = (definition: ModelDefinition, act: { by: string; at: Date }) => {
      const edit = importFile(definition, file, { source, requestId, act });
      if (!mayUnprotect) assertSamePolicies(edit);
      return { edit, changes: changesOf(definition, edit) };
    };
    const edited = { ...place, userId, mayUnprotect, principal, force };
    const before = await deps.definitions.read(place);
    if (dryRun || before.tables.size > 0) {
      const edit = rule(before, { by: userId, at: deps.now() });
      if (!mayUnprotect) assertKeepsProtection(before, applyEdit(before, edit), await policiesElsewhere(deps, before));
      await assertPartsUnused(deps, before, edit);
      await refuseBreakingEdit(deps, edited, rule);
    }
    const { edition } = dryRun ? before.model : (await editModel(deps, edited, rule)).model;
    return { revision: edition, dryRun, ...changes! };
  });
}

/**
 * Measures that metrics use stay, and so do tables that blends join. What is made in the same moment becomes stale, as
 * after a restored version.
 */
async function assertPartsUnused({ table }: ModelDeps, { model }: ModelDefinition, { put = {}, remove = {} }: Edit) {
  const measures = (put.measures ?? []).filter(({ deletedAt }) => deletedAt !== null);
  const referrers = namedReferrers(table, measureReferences(table, model.id));
  for (const id of [...measures.map(({ id }) => id), ...(remove.tables ?? [])]) {
    const referencedBy = await referrers(model.workspaceId, id);
    if (referencedBy.length > 0) throw new AppError('REFERENCED', { members: { referencedBy } });
  }
}

function assertSamePolicies({ put = {}, remove = {} }: Edit): void {
  if (!put.policies?.length && !remove.policies?.length) return;
  const detail = 'The file has other row-level security policies. Ask a workspace admin to import it.';
  throw new AppError('FORBIDDEN', { detail });
}
