import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import {
  isProtectedTable,
  isReadByPolicies,
  type RightsDeps,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import {
  type Dataset,
  type DatasetRepository,
  derivedFrom,
  renamedAlong,
} from '../../../../shared/domains/warehouse/datasets/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Name } from '../../../../shared/platform/http/schemas.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { hasShape } from '../../../../shared/platform/validation/shape-issues.ts';

export interface RenameDeps {
  datasets: DatasetRepository;
  rights: RightsDeps;
  allDatasets(workspaceId: string): Promise<Dataset[]>;
  now(): Date;
}

/** All are renamed in one transaction. */
const MAX_RENAMED_ALONG = 15;

/**
 * The datasets that have to be renamed together with one, because they hold rows that gates or tests of it have
 * rejected: policies find such rows by the name. Throws `DATASET_PROTECTED` if a dataset has to keep its name,
 * `DATASET_NAME_TAKEN`, or an issue of the name.
 */
export async function renamed(
  deps: RenameDeps,
  dataset: Dataset,
  to: string,
): Promise<{ previous: Dataset; next: Dataset }[]> {
  const { workspaceId, name: from } = dataset;
  const origin = derivedFrom(from);
  if (origin !== undefined && (await deps.datasets.find(workspaceId, origin)))
    throw new AppError('DATASET_PROTECTED', {
      detail: `It has rows of the dataset ${origin}, whose policies go for them by this name. Rename ${origin}, or delete this one.`,
    });
  await assertUnprotected(deps, dataset);
  const along = (await deps.allDatasets(workspaceId)).flatMap((previous) => {
    const name = previous.id === dataset.id ? undefined : renamedAlong(previous.name, { from, to });
    return name === undefined ? [] : [{ previous, name }];
  });
  if (along.length > MAX_RENAMED_ALONG)
    throw new AppError('DATASET_PROTECTED', {
      detail: `${along.length} datasets have rows that its gates and tests have rejected, and at most ${MAX_RENAMED_ALONG} can be renamed with it. Delete some of them first.`,
    });
  return Promise.all(along.map((each) => renamedOne(deps, each)));
}

async function renamedOne(deps: RenameDeps, { previous, name }: { previous: Dataset; name: string }) {
  await assertUnprotected(deps, previous);
  if (!hasShape(Name, name)) {
    const message = `is too long: ${previous.name} would become ${name}; choose a shorter name`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/name', code: 'TOO_LONG', message }] });
  }
  const holder = await deps.datasets.find(previous.workspaceId, name);
  if (holder && holder.id !== previous.id)
    throw new AppError('DATASET_NAME_TAKEN', {
      detail: `${previous.name} would be renamed, too, but there is a dataset ${name}. Delete one of them first.`,
    });
  return { previous, next: { ...previous, name, updatedAt: later(previous.updatedAt, deps.now()) } };
}

/**
 * Policies name datasets: under another name, everyone would see all rows, or those that another dataset of the name
 * decides.
 */
async function assertUnprotected({ rights }: RenameDeps, { workspaceId, name }: Dataset): Promise<void> {
  const place = { schema: '', table: name };
  const isNamed =
    (await isProtectedTable(rights, { workspaceId, sourceId: DATASETS, place })) ||
    (await isReadByPolicies(rights, { workspaceId, name }));
  if (isNamed) throw new AppError('DATASET_PROTECTED');
}
