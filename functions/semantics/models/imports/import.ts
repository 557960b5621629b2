import {
  type Act,
  type Edit,
  importTables,
  type ModelDefinition,
  resyncTables,
  type SourceTable,
} from '../../../../shared/domains/semantics/models/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type EditCommand, editModel, type ModelDeps } from '../use-cases/context.ts';
import type { ImportTables, SyncReport } from './schemas.ts';

/** Throws `DATA_SOURCE_NOT_SYNCED`, `VALIDATION_FAILED` or `MODEL_TOO_LARGE`. */
export const importFromSource = (
  deps: ModelDeps,
  { wanted, ...command }: EditCommand & { wanted: ImportTables },
): Promise<SyncReport> =>
  withSource(deps, command, (definition, source, act) => importTables(definition, source, wanted, act));

/** Throws `DATA_SOURCE_NOT_SYNCED` or `MODEL_TOO_LARGE`. */
export const resyncWithSource = (deps: ModelDeps, command: EditCommand): Promise<SyncReport> =>
  withSource(deps, command, resyncTables);

async function withSource(
  deps: ModelDeps,
  command: EditCommand,
  rule: (definition: ModelDefinition, source: readonly SourceTable[], act: Act) => { edit: Edit; report: SyncReport },
): Promise<SyncReport> {
  const { model } = await deps.definitions.read(command);
  const source = await deps.sourceTables(model);
  if (!source) throw new AppError('DATA_SOURCE_NOT_SYNCED');
  let report: SyncReport | undefined;
  await editModel(deps, { ...command, isSync: true }, (definition, act) => {
    const imported = rule(definition, source, act);
    report = imported.report;
    return imported.edit;
  });
  return report!;
}
