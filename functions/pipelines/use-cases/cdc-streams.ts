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
  toCdcStream,
  type UpdateCdcStream,
} from '../../../shared/domains/cdc/index.ts';
import type { DataSourceRepository, StoredDataSource } from '../../../shared/domains/sources/index.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { later } from '../../../shared/platform/storage/ids.ts';
import { selectPage } from '../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../shared/platform/storage/page.ts';
import { didYouMean } from '../../../shared/platform/text/nearest.ts';
import type { CdcStreamsQuery } from '../cdc-routes.ts';

export interface CdcDeps {
  streams: StreamRepository;
  states: CaptureStates;
  sources: Pick<DataSourceRepository, 'get'>;
  /** The prerequisites that the source lacks for the stream. Throws `DATA_SOURCE_UNREACHABLE`. */
  preflight(source: StoredDataSource, stream: StoredStream, isNew: boolean): Promise<Issue[]>;
  captures: CaptureQueue;
  now(): Date;
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
    return { ...about, items: await shownStreams(deps, workspaceId, items) };
  }
  const streams = (await deps.streams.readAll(workspaceId)).filter(
    (stream) => sourceId === undefined || stream.sourceId === sourceId,
  );
  const shown = await shownStreams(deps, workspaceId, streams);
  return selectPage(shown, { ...page, ...(status && { status }) });
}

async function shownStreams(
  deps: CdcDeps,
  workspaceId: string,
  streams: readonly StoredStream[],
): Promise<CdcStream[]> {
  const states = await deps.states.getMany(
    workspaceId,
    streams.map(({ id }) => id),
  );
  const byId = new Map(states.map((state) => [state.id, state]));
  return streams.map((stream) => toCdcStream(stream, byId.get(stream.id), deps.now()));
}

export async function getCdcStream(deps: CdcDeps, named: Named): Promise<CdcStream> {
  return shown(deps, await existing(deps, named));
}

export async function createCdcStream(
  deps: CdcDeps,
  command: CreateCdcStream & { id: string; workspaceId: string; createdBy: string },
): Promise<CdcStream> {
  const { id, workspaceId, sourceId, streamId, createdBy } = command;
  const source = await deps.sources.get(workspaceId, sourceId);
  if (!source) throw new AppError('DATA_SOURCE_NOT_FOUND');
  if (source.type !== 'postgres') throw new AppError('SOURCE_NOT_CAPTURABLE');
  const taken = await deps.streams.byName(workspaceId, sourceId, streamId);
  // A repeated request: its first try may have created the slot already.
  if (taken?.id === id) return shown(deps, taken);
  if (taken) throw new AppError('CDC_STREAM_ID_TAKEN');
  const at = deps.now().toISOString();
  const stream: StoredStream = {
    id,
    workspaceId,
    sourceId,
    streamId,
    tables: distinct(command.tables).map((name) => ({ name, generation: 1 })),
    slotGeneration: 1,
    slotName: slotNameOf(command),
    enabled: true,
    capture: command.capture ?? 'polling',
    walLimitBytes: command.walLimitBytes ?? DEFAULT_WAL_LIMIT_BYTES,
    onWalLimit: command.onWalLimit ?? 'alert',
    createdBy,
    createdAt: at,
    updatedAt: at,
  };
  rejectUnready(await deps.preflight(source, stream, true));
  const created = await deps.streams.create(stream, [deps.states.createItem(stream)]);
  await requestCapture(deps.captures, created);
  return shown(deps, created);
}

export async function updateCdcStream(deps: CdcDeps, command: UpdateCdcStream & Named): Promise<CdcStream> {
  const { enabled, tables, capture, walLimitBytes, onWalLimit } = command;
  return change(deps, command, async (current) => {
    const next = {
      ...current,
      enabled,
      ...(capture === undefined ? {} : { capture }),
      ...(walLimitBytes === undefined ? {} : { walLimitBytes }),
      ...(onWalLimit === undefined ? {} : { onWalLimit }),
      ...(tables === undefined ? {} : { tables: followed(current, distinct(tables), deps.now()) }),
    };
    if (tables !== undefined) await checkReadiness(deps, current, next);
    return next;
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
  return change(deps, command, async (current) => {
    const known = new Set(current.tables.map(({ name }) => name));
    const unknown = (requested ?? []).flatMap((name, index) => {
      const message = `The stream does not follow the table "${name}"${didYouMean(name, known)}`;
      return known.has(name) ? [] : [{ pointer: `/tables/${index}`, code: 'TABLE_UNKNOWN', message }];
    });
    if (unknown.length > 0) throw new AppError('CDC_TABLE_UNKNOWN', { errors: unknown });
    const renewed = ({ name, generation }: StoredStream['tables'][number]) => ({ name, generation: generation + 1 });
    return {
      ...current,
      tables: current.tables.map((table) => (!requested || requested.includes(table.name) ? renewed(table) : table)),
      slotGeneration: requested ? current.slotGeneration : current.slotGeneration + 1,
    };
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

async function change(
  deps: CdcDeps,
  named: Named,
  next: (current: StoredStream) => Promise<StoredStream>,
): Promise<CdcStream> {
  const changed = await onNewest('STALE_WRITE', async () => {
    const current = await existing(deps, named);
    if (current.deletedAt) throw new AppError('CDC_STREAM_DELETING');
    const updatedAt = later(current.updatedAt, deps.now());
    return deps.streams.replace(current, { ...(await next(current)), updatedAt });
  });
  await requestCapture(deps.captures, changed);
  return shown(deps, changed);
}

async function existing(deps: CdcDeps, { workspaceId, id }: Named): Promise<StoredStream> {
  const stream = await deps.streams.get(workspaceId, id);
  if (!stream) throw new AppError('CDC_STREAM_NOT_FOUND');
  return stream;
}

async function shown(deps: CdcDeps, stream: StoredStream): Promise<CdcStream> {
  return toCdcStream(stream, await deps.states.get(stream), deps.now());
}

const distinct = (names: readonly string[]) => [...new Set(names.map(qualified))];

function rejectUnready(errors: Issue[]): void {
  if (errors.length > 0) throw new AppError('SOURCE_NOT_READY', { errors });
}
