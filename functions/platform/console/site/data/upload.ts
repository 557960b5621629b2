import { signal } from '@preact/signals';
import { ApiError, api, type Types } from './client.ts';
import { hasRole, useMe } from './me.ts';
import { type Problem, problemOf } from './problem.ts';
import { useQuery } from './query.ts';

/** Where files go that people drop. */
const PLACE = 'Files';

interface MayUpload {
  mayUpload: boolean;
  /** Why it is not known. */
  problem: Problem | undefined;
  refresh(): void;
}

/** Whether the person may upload files: admins, and editors unless an admin has turned that off. */
export function useMayUpload(): MayUpload {
  const me = useMe().data;
  const isEditor = hasRole(me, 'editor');
  const isAdmin = hasRole(me, 'admin');
  const { data, error, refresh } = useQuery(['workspace'], () => api.workspaces.get(), {
    enabled: isEditor && !isAdmin,
  });
  const issue = data || !error ? undefined : problemOf(error);
  return {
    mayUpload: isAdmin || (isEditor && data?.editorsMayUpload === true),
    problem: issue && {
      ...issue,
      sentence: `The console could not check whether you may upload files. ${issue.sentence}`,
    },
    refresh,
  };
}

/** The file source of the workspace, which the first upload makes. */
export async function filesSource(): Promise<string> {
  return (await findFiles()) ?? (await createFiles());
}

async function findFiles(): Promise<string | undefined> {
  const { items } = await api.dataSources.list({ name: PLACE, type: 'file', limit: 1 });
  return items[0]?.id;
}

async function createFiles(): Promise<string> {
  try {
    return (await api.dataSources.create({ name: PLACE, type: 'file' })).id;
  } catch (error) {
    // Another window was faster.
    const found = error instanceof ApiError && error.code === 'DATA_SOURCE_NAME_TAKEN' ? await findFiles() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/** Counts the files that this page has sent, so that lists show them. */
export const uploads = signal(0);

export interface Progress {
  /** From 0 to 1; undefined while it is not known. */
  sent?: number;
  signal?: AbortSignal;
  onSent?: (part: number) => void;
}

/** A path in a folder of its own, so that a file of the same name never replaces the rows of an earlier one. */
export function newPath({ name }: File): string {
  const folder = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${folder}-${crypto.randomUUID().slice(0, 8)}/${name}`;
}

export async function uploadTo(
  sourceId: string,
  path: string,
  file: File,
  { signal, onSent }: Progress = {},
): Promise<void> {
  await api.uploads.file(sourceId, path, file, {
    ...(file.type && { contentType: file.type }),
    ...(signal && { signal }),
    onProgress: ({ sentBytes, totalBytes }) => onSent?.(totalBytes === 0 ? 1 : sentBytes / totalBytes),
  });
  uploads.value += 1;
}

const MAX_NAME = 180;
const MAX_TRIES = 50;

/** A dataset of the file, under its name or the next free one. Its import runs. */
export async function importFile(sourceId: string, path: string, fileName: string): Promise<Types.CreatedDataset> {
  const base =
    fileName
      .replace(/(\.gz)?$/i, '')
      .replace(/\.[a-z]+$/i, '')
      .trim()
      .slice(0, MAX_NAME) || 'file';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base} ${count}`;
    try {
      return await api.datasets.create({ name, source: { kind: 'file', sourceId, path } });
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'DATASET_NAME_TAKEN';
      if (!isTaken || count === MAX_TRIES) throw error;
    }
  }
}

const PAUSE_MS = 500;

/** Why the import of a file has failed, as the platform reports it. */
export class ImportFailed extends Error {}

/** Resolves when the import has ended; rejects with `ImportFailed` if it has failed. */
export async function importEnd(id: string, signal: AbortSignal): Promise<Types.DatasetView> {
  for (;;) {
    const dataset = await api.datasets.get(id, { signal });
    if (dataset.version > 0) return dataset;
    const last = dataset.lastRefresh;
    if (last) throw new ImportFailed(last.error?.message ?? `The import ended with the status ${last.status}.`);
    await pause(signal);
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
