import { isDeepStrictEqual } from 'node:util';
import { columnsLostByDag, type FindBroken, refuseBreaking } from '../../../../shared/domains/catalog/lineage/index.ts';
import { type CheckDeps, checkDefinition, validDefinition } from '../../../../shared/domains/pipelines/checks/index.ts';
import { copyPlaceOf, type Dag } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { Pipeline, StoredPipeline } from '../../../../shared/domains/pipelines/store/index.ts';
import type { CopyDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { DatasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { type Schedule, scheduleIssues } from '../../../../shared/platform/schedule/schedule.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { checkedSchedule, completeConcurrency } from '../definition.ts';
import type { ChangedDag, PipelineRepository } from '../repository.ts';
import type { CreatePipeline, UpdatePipeline } from '../schemas.ts';
import { definedCopy } from './defined-copy.ts';
import { changedRecipients, type RecipientDeps } from './failure-recipients.ts';

export interface SaveDeps extends CheckDeps, CopyDeps, RecipientDeps {
  datasets: Pick<DatasetRepository, 'getMany'>;
  pipelines: PipelineRepository;
  /** Checks the runs, files and ends that wait again: with the pipeline's new settings they may start. */
  startWaiting(pipeline: StoredPipeline): Promise<void>;
  /** Announces the starts of its schedule that come before the next minute tick. */
  announceStarts(pipeline: StoredPipeline): Promise<void>;
  findBroken: FindBroken;
  now(): Date;
}

export async function createPipeline(
  deps: SaveDeps,
  command: CreatePipeline & { id: string; principal: Principal; apiUrl: string },
): Promise<Pipeline> {
  const { id, principal, name } = command;
  const { workspaceId, userId: createdBy } = principal;
  const beside = command.schedule ? scheduleIssues(command.schedule, '/schedule', null) : [];
  const dag = await validDefinition(deps, { workspaceId, id }, command.dag, { beside });
  const schedule = checkedSchedule(command.schedule ?? dag.schedule, '/schedule', null);
  const copied = await definedCopy(deps, principal, { workspaceId, id }, dag);
  const at = deps.now().toISOString();
  const pipeline = {
    id,
    workspaceId,
    name,
    status: command.status ?? 'active',
    dagVersion: 1,
    dagHash: await deps.dags.put(workspaceId, dag),
    schedule,
    concurrency: completeConcurrency(command.concurrency ?? dag.concurrency),
    compute: command.compute ?? null,
    ...(await changedRecipients(deps, command)),
    createdBy,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  } as const;
  const created = await deps.pipelines.create(pipeline, dag, copied);
  await deps.announceStarts(created);
  return view(deps, created);
}

type UpdateCommand = UpdatePipeline & { id: string; principal: Principal; force: boolean; apiUrl: string };

/**
 * Throws `PIPELINE_CHANGED` when `expectedUpdatedAt` is outdated; without it the change applies to the newest version.
 * Throws `REFERENCED` without `force` if columns that it no longer loads are in use.
 */
export function updatePipeline(deps: SaveDeps, command: UpdateCommand): Promise<Pipeline> {
  const checked = new Map<string, Promise<Dag>>();
  // Repeated after another change that left the definition as it was, it is not checked again.
  const check = (dag: Dag, current: StoredPipeline, saved: Dag): Promise<Dag> => {
    const beside = command.schedule ? scheduleIssues(command.schedule, '/schedule', current.schedule) : [];
    const known = checked.get(current.dagHash) ?? validDefinition(deps, current, dag, { saved, beside });
    checked.set(current.dagHash, known);
    return known;
  };
  const update = () => changeStored(deps, command, check);
  return command.expectedUpdatedAt === undefined ? onNewest('PIPELINE_CHANGED', update) : update();
}

/** Every issue of the definition in a body that does not match its schema, which the schema alone does not find. */
export async function brokenDefinitionIssues(
  deps: SaveDeps,
  { workspaceId, id, body }: { workspaceId: string; id: string; body: unknown },
): Promise<readonly Issue[]> {
  const { dag } = (body ?? {}) as { dag?: unknown };
  if (typeof dag !== 'object' || dag === null) return [];
  const current = await deps.pipelines.get(workspaceId, id);
  const saved = current && (await deps.dags.get(workspaceId, current.dagHash));
  return (await checkDefinition(deps, { workspaceId, id }, dag, saved)).issues;
}

async function changeStored(
  deps: SaveDeps,
  command: UpdateCommand,
  check: (dag: Dag, current: StoredPipeline, from: Dag) => Promise<Dag>,
): Promise<Pipeline> {
  const { principal } = command;
  const current = await existing(deps, { workspaceId: principal.workspaceId, id: command.id });
  if (command.expectedUpdatedAt !== undefined && command.expectedUpdatedAt !== current.updatedAt) {
    throw new AppError('PIPELINE_CHANGED', { members: { current: await view(deps, current) } });
  }
  const { name, status, compute } = command;
  const from = await deps.dags.get(current.workspaceId, current.dagHash);
  const dag = command.dag && (await check(command.dag, current, from));
  // Settings inside the definition apply only if they changed there: saving it unchanged keeps those set next to it.
  const changed = dag && { ...unlessSame(dag, from, 'schedule'), ...unlessSame(dag, from, 'concurrency') };
  const schedule = command.schedule ?? changed?.schedule;
  const concurrency = command.concurrency ?? changed?.concurrency;
  const dagHash = dag ? await deps.dags.put(current.workspaceId, dag) : current.dagHash;
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(compute === undefined ? {} : { compute }),
    ...(await changedRecipients(deps, command, current)),
    ...(schedule ? { schedule: checkedSchedule(schedule, '/schedule', current.schedule) } : {}),
    ...(concurrency ? { concurrency: completeConcurrency(concurrency) } : {}),
    dagHash,
    dagVersion: dagHash === current.dagHash ? current.dagVersion : current.dagVersion + 1,
  };
  const isNewDag = dag && dagHash !== current.dagHash;
  const dags = isNewDag
    ? { from, to: dag, copied: await checkNewDag(deps, command, current, { from, to: dag }) }
    : undefined;
  const saved = await replace(deps, current, changes, dags);
  if (concurrency || hasWaitingInputs(dag ?? from)) await deps.startWaiting(current);
  return saved;
}

/** What is to be noted of protected rows that the new definition copies. Throws `REFERENCED`. */
async function checkNewDag(
  deps: SaveDeps,
  { principal, force }: UpdateCommand,
  current: StoredPipeline,
  { from, to }: Record<'from' | 'to', Dag>,
): Promise<ChangedDag['copied']> {
  if (!force) await refuseBreaking(deps.findBroken, principal, columnsLostByDag(current.id, to));
  const isOtherCopy = copyPlaceOf(current, to).definition !== copyPlaceOf(current, from).definition;
  return isOtherCopy ? definedCopy(deps, principal, current, to) : [];
}

const hasWaitingInputs = ({ trigger }: Dag) => trigger?.kind === 'file_arrival' || trigger?.kind === 'pipeline';

export async function setSchedule(
  deps: SaveDeps,
  command: { id: string; workspaceId: string; schedule: Schedule },
): Promise<Pipeline> {
  return onNewest('PIPELINE_CHANGED', async () => {
    const current = await existing(deps, command);
    return replace(deps, current, { schedule: checkedSchedule(command.schedule, '', current.schedule) });
  });
}

function unlessSame<K extends 'schedule' | 'concurrency'>(next: Dag, previous: Dag, name: K): Partial<Pick<Dag, K>> {
  const { [name]: value } = next;
  return value === undefined || isDeepStrictEqual(value, previous[name]) ? {} : ({ [name]: value } as Pick<Dag, K>);
}

async function existing(deps: SaveDeps, place: { id: string; workspaceId: string }): Promise<StoredPipeline> {
  const current = await deps.pipelines.get(place.workspaceId, place.id);
  if (!current) throw new AppError('PIPELINE_NOT_FOUND');
  return current;
}

async function replace(
  deps: SaveDeps,
  current: StoredPipeline,
  changes: Partial<StoredPipeline>,
  dags?: ChangedDag,
): Promise<Pipeline> {
  const next = { ...current, ...changes, updatedAt: later(current.updatedAt, deps.now()) };
  const replaced = await deps.pipelines.replace(current, next, dags);
  await deps.announceStarts(replaced);
  return view(deps, replaced);
}

async function view(deps: SaveDeps, stored: StoredPipeline): Promise<Pipeline> {
  const [pipeline] = await deps.pipelines.views([stored], { permission: 'editor', now: deps.now() });
  return pipeline!;
}
