import { api, type Types } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import { streamSchemas } from '../../data/stream-schemas.ts';
import { durationOf } from '../../ui/format.ts';
import { withTitles } from '../../ui/json-schema.ts';
import type { StatusKind } from '../../ui/status.tsx';

export type Stream = Types.CdcStream;
export type StreamTable = Stream['tables'][number];

export const EVERY_MS = 5_000;

export const STATUSES = [
  'creating',
  'snapshotting',
  'streaming',
  'lagging',
  'degraded',
  'paused',
  'error',
  'deleting',
] as const;

const KINDS: Readonly<Record<string, StatusKind>> = {
  creating: 'running',
  snapshotting: 'running',
  streaming: 'succeeded',
  lagging: 'waiting',
  degraded: 'failed',
  paused: 'waiting',
  error: 'failed',
  deleting: 'skipped',
  pending: 'waiting',
};

/** How the status of a stream or of one of its tables is drawn. */
export const streamStatus = (status: string): StatusKind => KINDS[status] ?? 'waiting';

/** How far the capture is behind its source. */
export const lagText = ({ lagSeconds }: Pick<Stream, 'lagSeconds'>): string =>
  lagSeconds === null ? '–' : durationOf(lagSeconds * 1_000);

const REMEDIES: Readonly<Record<string, string>> = {
  SLOT_LOST:
    'The slot is gone, was read or reset by another client, or its log was removed. Resync the stream: it takes new snapshots with a new slot.',
  WAL_LIMIT:
    'The source keeps more of its log for the stream than the limit. Find out why the capture is behind, or raise the limit.',
  CONNECTION_FAILED:
    'The source cannot be reached. The capture retries within seconds, and the source keeps its log: restore the connection.',
  AUTH_FAILED: 'The source rejected the credentials. Correct the secrets of the source; the capture then continues.',
  PERMISSION_DENIED: 'Grant the right to the user of the source, and resync what has stopped.',
  RLS_COPY: 'A policy hides rows of the tables from the person who created the stream. Ask an admin to allow the copy.',
  INTERNAL: 'Something went wrong on our side. The capture retries; report it if it persists.',
};

/** What to do about an error of a stream, or of one of its tables, which stops alone. */
export const remedyOf = (code: string, isOfTable: boolean): string =>
  REMEDIES[code] ??
  (isOfTable
    ? 'The table was dropped, renamed or altered, or may no longer be read. Correct it, and resync the table.'
    : 'The capture retries. Test the source if this persists.');

export const useStream = (id: string) => useQuery(['streams', id], () => api.cdcStreams.get(id), { everyMs: EVERY_MS });

const MAX_SOURCES = 200;

/** The Postgres sources, by their ids: only they have streams. */
export const useSources = () =>
  useQuery(['streams', 'sources'], async () => {
    const { items } = await api.dataSources.list({ type: 'postgres', sort: 'name', limit: MAX_SOURCES });
    return new Map(items.map((source) => [source.id, source]));
  });

/** What the settings of a stream are asked for as. */
export const settingsSchema = () => withTitles(streamSchemas.CreateCdcStream!, { walLimitBytes: 'WAL limit in bytes' });
