import {
  changesOf,
  type Edit,
  importFile,
  type ModelChanges,
  type ModelDefinition,
  readModelFile,
  writeModelFile,
} from '../../../shared/domains/models/index.ts';
import { isPermitted } from '../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { Content } from '../../../shared/platform/http/content.ts';
import { expectingDocument } from '../../../shared/platform/storage/expectation.ts';
import type { ModelFileReport } from '../file-schemas.ts';
import { editModel, type ModelDeps } from './context.ts';

/** Only admins see policies, here as in their list. Throws `MODEL_TOO_LARGE`. */
export async function exportModel(
  deps: Pick<ModelDeps, 'definitions'>,
  { principal, id: modelId }: { principal: Principal; id: string },
): Promise<Content> {
  const definition = await deps.definitions.read({ workspaceId: principal.workspaceId, modelId });
  const { name, edition } = definition.model;
  const text = writeModelFile(definition, { withPolicies: isPermitted('model-policies:manage', principal) });
  return new Content(text, { fileName: `${name}.yaml`, etag: `"${edition}"` });
}

interface ImportCommand {
  principal: Principal;
  id: string;
  yaml: string;
  dryRun: boolean;
  requestId: string;
}

/** Throws what `importFile` throws, and `FORBIDDEN` if row-level security would change by someone who may not change it. */
export async function importModel(deps: ModelDeps, command: ImportCommand): Promise<ModelFileReport> {
  const { principal, id: modelId, yaml, dryRun, requestId } = command;
  const place = { workspaceId: principal.workspaceId, modelId };
  const file = readModelFile(yaml);
  const { model } = await deps.definitions.read(place);
  const source = await deps.sourceTables(model);
  return expectingDocument(modelId, async (check) => {
    const mayUnprotect = isPermitted('model-policies:manage', principal);
    let changes: ModelChanges | undefined;
    const rule = (definition: ModelDefinition, act: { by: string; at: Date }): Edit => {
      check(definition.model.edition);
      const edit = importFile(definition, file, { source, requestId, act });
      assertMayProtect(principal, edit);
      changes = changesOf(definition, edit);
      return edit;
    };
    const { edition } = dryRun
      ? await tried(deps, place, (definition) => rule(definition, { by: principal.userId, at: deps.now() }))
      : (await editModel(deps, { ...place, userId: principal.userId, mayUnprotect }, rule)).model;
    return { revision: edition, dryRun, ...changes! };
  });
}

async function tried(
  { definitions }: ModelDeps,
  place: { workspaceId: string; modelId: string },
  rule: (definition: ModelDefinition) => Edit,
) {
  const definition = await definitions.read(place);
  rule(definition);
  return definition.model;
}

function assertMayProtect(principal: Principal, { put = {}, remove = {} }: Edit): void {
  const isSame = !put.policies?.length && !remove.policies?.length;
  if (isSame || isPermitted('model-policies:manage', principal)) return;
  const detail = 'The file has other row-level security policies. Ask a workspace admin to import it.';
  throw new AppError('FORBIDDEN', { detail });
}
