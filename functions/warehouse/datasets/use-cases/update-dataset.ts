import { isDeepStrictEqual } from 'node:util';
import {
  columnsLostByStatement,
  type FindBroken,
  refuseBreaking,
} from '../../../../shared/domains/catalog/lineage/index.ts';
import { requireMayWrite, type WriteDeps } from '../../../../shared/domains/pipelines/copies/index.ts';
import type { CopyDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { Dataset } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { scheduleAfter } from '../../../../shared/platform/schedule/schedule.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { SaveDataset } from '../save-dataset.ts';
import type { UpdateDataset } from '../schemas.ts';
import { rejectInvalidSettings, type SettingsDeps } from './dataset-settings.ts';
import { definedCopy } from './defined-copy.ts';
import { findDataset } from './read-datasets.ts';
import { type RenameDeps, renamed } from './rename-dataset.ts';

/**
 * Changes settings on top of the newest version of the record. An active refresh is not affected: its settings were
 * fixed when it started. A new source makes the caller the definer of what the dataset stores.
 * Throws `REFERENCED` without `force` if columns that a new statement does not have are in use.
 */
export async function updateDataset(
  deps: SettingsDeps & RenameDeps & CopyDeps & WriteDeps & { save: SaveDataset; findBroken: FindBroken },
  command: { principal: Principal; id: string; change: UpdateDataset; force: boolean; scheduleAt?: string },
): Promise<Dataset> {
  const { principal, change } = command;
  return onNewest('STALE_WRITE', async () => {
    const current = await findDataset(deps, { workspaceId: principal.workspaceId, id: command.id });
    const isOtherSource = change.source !== undefined && !isDeepStrictEqual(change.source, current.source);
    const isOtherName = change.name !== undefined && change.name !== current.name;
    const also = isOtherName ? await renamed(deps, current, change.name!) : [];
    // What reads a dataset finds it by its name: under another one, it takes the place of one that was read before.
    if (isOtherSource || isOtherName)
      await requireMayWrite(deps, principal, { datasets: [current.name, change.name ?? current.name] });
    const next: Dataset = { ...current, ...change, updatedAt: later(current.updatedAt, deps.now()) };
    // A change to full refreshes removes the cursor by itself.
    if (change.mode === 'full' && change.incremental === undefined) next.incremental = null;
    await rejectInvalidSettings(deps, next, { scheduleAt: command.scheduleAt, current: current.schedule });
    if (isOtherSource && change.source?.kind === 'datasets' && !command.force)
      await refuseBreaking(deps.findBroken, principal, columnsLostByStatement(current.id, change.source.sql));
    next.schedule = scheduleAfter(next.schedule, current.schedule);
    return deps.save(current, next, also, isOtherSource ? await definedCopy(deps, principal, next) : []);
  });
}
