import { noTable, unknownTable } from '../../../data/sql/unknown-table.ts';
import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { DatasetRepository } from '../../warehouse/datasets/index.ts';

interface Asked {
  principal: Principal;
  datasetIds?: readonly string[] | undefined;
  sourceId?: string | undefined;
}

/** The comparison with thousands of names takes time, so a statement with more unknown tables gets no more names. */
const MAX_MISSPELLED = 5;

/**
 * Adds the dataset with the nearest name to each issue about an unknown table. The engine knows only the datasets that
 * the statement mentions. Callers who may not list datasets get no names.
 */
export async function withNearTables<T>(
  { datasets }: { datasets: Pick<DatasetRepository, 'findNear'> },
  asked: Asked,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !mayListTables(asked)) throw error;
    const unknown = new Set(error.errors.flatMap(({ message }) => unknownTable(message) ?? []));
    if (unknown.size === 0) throw error;
    const near = await datasets.findNear(asked.principal.workspaceId, [...unknown].slice(0, MAX_MISSPELLED));
    let detail = error.message;
    const errors = error.errors.map((issue) => {
      const name = unknownTable(issue.message);
      const found = name === undefined ? undefined : near.get(name);
      if (name === undefined || found === undefined) return issue;
      const message = noTable(name, [found.name]);
      detail = detail.replace(issue.message, () => message);
      return { ...issue, message };
    });
    throw error.withErrors(errors, detail);
  }
}

const mayListTables = ({ principal, datasetIds, sourceId }: Asked): boolean =>
  sourceId === undefined &&
  datasetIds === undefined &&
  principal.link === undefined &&
  principal.resources === undefined &&
  isPermitted('datasets:read', principal);
