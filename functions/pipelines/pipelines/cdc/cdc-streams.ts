import {
  type CaptureQueue,
  type CaptureStates,
  type CdcStream,
  type CreateCdcStream,
  DEFAULT_WAL_LIMIT_BYTES,
  qualified,
  requestCapture,
  type StoredStream,
  type StreamRepository,
  slotNameOf,
  streamCopy,
  toCdcStream,
  type UpdateCdcStream,
} from '../../../../shared/domains/pipelines/cdc/index.ts';
import {
  type CopyDeps,
  copyItem,
  definedItem,
  readCopy,
  requireAllRows,
} from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { DataSourceRepository, StoredDataSource } from '../../../../shared/domains/warehouse/sources/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { selectPage } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import { didYouMean } from '../../../../shared/platform/text/nearest.ts';
import type { CdcStreamsQuery } from './routes.ts';

export interface CdcDeps extends CopyDeps {
  streams: StreamRepository;
  states: CaptureStates;
  sources: Pick<DataSourceRepository, 'get'>;
  /** The prerequisites that the source lacks for the stream. Throws `DATA_SOURCE_UNREACHABLE`. */
  preflight(source: StoredDataSource, stream: StoredStream, isNew: boolean): Promise<Issue[]>;
  captures: CaptureQueue;
}

interface Named {
  workspaceId: string;
  id: string;
}

export async function listCdcStreams(
  deps: CdcDeps,
  { workspaceId, sourceId, status, ...page }: { workspaceId: string } & CdcStreamsQuery,
): Promise<PageOf<CdcStream>> {
  if (sourceId === undefined && status === undefined) {
    const { items, ...about } = await deps.streams.list(workspaceId, page);
    return { ...about, items: await showStreams(deps, workspaceId, items) };
  }
  const streams = (await deps.streams.readAll(workspaceId)).filter(
    (stream) => sourceId === undefined || stream.sourceId === sourceId,
  );
  const shown = await showStreams(deps, workspaceId, streams);
  return selectPage(shown, { ...page, ...(status && { status }) });
}

async function showStreams(deps: CdcDeps, workspaceId: string, streams: readonly StoredStream[]): Promise<CdcStream[]> {
  const states = await deps.states.getMany(
    workspaceId,
    streams.map(({ id }) => id),
  );
  const byId = new Map(states.map((state) => [state.id, state]));
  return streams.map((stream) => toCdcStream(stream, byId.get(stream.id), deps.now()));
}

export async function getCdcStream(deps: CdcDeps, named: Named): Promise<CdcStream> {
  return showStream(deps, await existing(deps, named));
}

export async function createCdcStream(
  deps: CdcDeps,
  command: CreateCdcStream & { id: string; principal: Principal },
): Promise<CdcStream> {
  const { id, principal, sourceId, streamId } = command;
  const { workspaceId, userId: createdBy } = principal;
  const source = await deps.sources.get(workspaceId, sourceId);
  if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
  if (source.type !== 'postgres') throw new AppError('SOURCE_NOT_CAPTURABLE');
  const taken = await deps.streams.byName(workspaceId, sourceId, streamId);
  // A repeated request: its first try may have created the slot already.
  if (taken?.id === id) return showStream(deps, taken);
  if (taken) throw new AppError('CDC_STREAM_ID_TAKEN');
  const at = deps.now().toISOString();
  const stream: StoredStream = {
    id,
    workspaceId,
    sourceId,
    streamId,
    tables: distinct(command.tables).map((name) => ({ name, generation: 1 })),
    slotGeneration: 1,
    slotName: slotNameOf({ workspaceId, sourceId, streamId }),
    enabled: true,
    capture: command.capture ?? 'polling',
    walLimitBytes: command.walLimitBytes ?? DEFAULT_WAL_LIMIT_BYTES,
    onWalLimit: command.onWalLimit ?? 'alert',
    createdBy,
    createdAt: at,
    updatedAt: at,
  };
  const copied = await definedCopy(deps, principal, stream);
  rejectUnready(await deps.preflight(source, stream, true));
  const created = await deps.streams.create(stream, [deps.states.createItem(stream), ...copied]);
  await requestCapture(deps.captures, created);
  return showStream(deps, created);
}

/** Who adds a table answers for all tables of the stream from then on. */
export async function updateCdcStream(
  deps: CdcDeps,
  command: UpdateCdcStream & { id: string; principal: Principal },
): Promise<CdcStream> {
  const { principal, id, enabled, tables, capture, walLimitBytes, onWalLimit } = command;
  return changeStream(deps, { workspaceId: principal.workspaceId, id }, async (current) => {
    const next = {
      ...current,
      enabled,
      ...(capture === undefined ? {} : { capture }),
      ...(walLimitBytes === undefined ? {} : { walLimitBytes }),
      ...(onWalLimit === undefined ? {} : { onWalLimit }),
      ...(tables === undefined ? {} : { tables: followed(current, distinct(tables), deps.now()) }),
    };
    const copied = await changedCopy(deps, principal, current, next);
    if (tables !== undefined) await checkReadiness(deps, current, next);
    return { next, copied };
  });
}

/** Each added table gets a new generation, and with it a snapshot; this includes tables that were removed before. */
function followed({ tables }: StoredStream, names: readonly string[], now: Date): StoredStream['tables'] {
  return names.map((name) => tables.find((table) => table.name === name) ?? { name, generation: now.getTime() });
}

async function checkReadiness(deps: CdcDeps, current: StoredStream, next: StoredStream): Promise<void> {
  const source = await deps.sources.get(current.workspaceId, current.sourceId);
  if (!source) throw new AppError('DATA_SOURCE_UNREACHABLE');
  rejectUnready(await deps.preflight(source, next, false));
}

export async function resyncCdcStream(deps: CdcDeps, command: Named & { tables?: string[] }): Promise<CdcStream> {
  const requested = command.tables && distinct(command.tables);
  return changeStream(deps, command, async (current) => {
    const known = new Set(current.tables.map(({ name }) => name));
    const unknown = (requested ?? []).flatMap((name, index) => {
      const message = `The stream does not follow the table "${name}"${didYouMean(name, known)}`;
      return known.has(name) ? [] : [{ pointer: `/tables/${index}`, code: 'TABLE_UNKNOWN', message }];
    });
    if (unknown.length > 0) throw new AppError('CDC_TABLE_UNKNOWN', { errors: unknown });
    const renewed = ({ name, generation }: StoredStream['tables'][number]) => ({ name, generation: generation + 1 });
    const next = {
      ...current,
      tables: current.tables.map((table) => (!requested || requested.includes(table.name) ? renewed(table) : table)),
      slotGeneration: requested ? current.slotGeneration : current.slotGeneration + 1,
    };
    return { next, copied: [] };
  });
}

/** The slot is dropped before the record: an invisible stream must not retain the log of the source. */
export async function deleteCdcStream(deps: CdcDeps, named: Named): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const current = await existing(deps, named);
    if (current.deletedAt) return;
    const at = later(current.updatedAt, deps.now());
    await deps.streams.replace(current, { ...current, deletedAt: at, updatedAt: at });
  });
  await requestCapture(deps.captures, named);
}

async function changeStream(
  deps: CdcDeps,
  named: Named,
  change: (current: StoredStream) => Promise<{ next: StoredStream; copied: TransactItem[] }>,
): Promise<CdcStream> {
  const changed = await onNewest('STALE_WRITE', async () => {
    const current = await existing(deps, named);
    if (current.deletedAt) throw new AppError('CDC_STREAM_DELETING');
    const updatedAt = later(current.updatedAt, deps.now());
    const { next, copied } = await change(current);
    return deps.streams.replace(current, { ...next, updatedAt }, copied);
  });
  await requestCapture(deps.captures, changed);
  return showStream(deps, changed);
}

/** What is stored with a stream of the caller. Throws `RLS_COPY` if they may not see all of its tables. */
async function definedCopy(deps: CdcDeps, principal: Principal, stream: StoredStream): Promise<TransactItem[]> {
  const { place, reads } = streamCopy(stream);
  await requireAllRows(deps, principal, { reads, pointer: '/tables' });
  return [definedItem(deps.table, place, principal)];
}

/** With fewer tables, the stream is still that of its definer, and what an admin has allowed goes on. */
async function changedCopy(
  deps: CdcDeps,
  principal: Principal,
  current: StoredStream,
  next: StoredStream,
): Promise<TransactItem[]> {
  const [before, after] = [streamCopy(current).place, streamCopy(next).place];
  if (before.definition === after.definition) return [];
  const known = new Set(current.tables.map(({ name }) => name));
  if (next.tables.some(({ name }) => !known.has(name))) return definedCopy(deps, principal, next);
  const record = await readCopy(deps.table, before);
  return record ? [copyItem(deps.table, after, record)] : [];
}

async function existing(deps: CdcDeps, { workspaceId, id }: Named): Promise<StoredStream> {
  const stream = await deps.streams.get(workspaceId, id);
  if (!stream) throw new AppError('CDC_STREAM_NOT_FOUND');
  return stream;
}

async function showStream(deps: CdcDeps, stream: StoredStream): Promise<CdcStream> {
  return toCdcStream(stream, await deps.states.get(stream), deps.now());
}

const distinct = (names: readonly string[]) => [...new Set(names.map(qualified))];

function rejectUnready(errors: Issue[]): void {
  if (errors.length > 0) throw new AppError('SOURCE_NOT_READY', { errors });
}
