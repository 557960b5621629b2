import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ApiError, api, type Types } from './client.ts';
import { saveFile, saveLink } from './files.ts';
import { type Problem, problemOf } from './problem.ts';

export const FILES = { pdf: 'PDF', xlsx: 'Excel', pptx: 'PowerPoint', docx: 'Word', png: 'pictures' } as const;
export const CARD_FILES = { csv: 'CSV', xlsx: 'Excel', png: 'a picture' } as const;
export type Format = keyof typeof FILES | 'csv';

/** As long as a request may take. */
const TIMEOUT_MS = 29_000;
const POLL_MS = 1_000;

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  png: 'image/png',
};

export interface Export {
  format: Format;
  /** How much is written, from 0 to 100, as far as it is known. */
  percent?: number | undefined;
  /** Present once it has failed. */
  problem?: Problem;
}

interface Writing {
  signal: AbortSignal;
  onProgress(percent: number | undefined): void;
}

/** Writes a file, and resolves to what saves it. */
type Writer<Chosen> = (format: Format, chosen: Chosen, writing: Writing) => Promise<() => unknown>;

/** Writes files of one object, one at a time; `stop` gives the current one up. */
export function useExport<Chosen>(id: string, write: (id: string) => Writer<Chosen>) {
  return useMemo(() => {
    const current = signal<Export | undefined>(undefined);
    const writer = write(id);
    let running: AbortController | undefined;
    const stop = () => {
      running?.abort();
      running = undefined;
      current.value = undefined;
    };
    const start = async (format: Format, chosen: Chosen): Promise<boolean> => {
      stop();
      const own = new AbortController();
      running = own;
      current.value = { format };
      const onProgress = (percent: number | undefined) => {
        if (running === own) current.value = { format, percent };
      };
      try {
        const save = await writer(format, chosen, { signal: own.signal, onProgress });
        if (running !== own) return false;
        await save();
        current.value = undefined;
        return true;
      } catch (error) {
        if (running === own) current.value = { format, problem: problemOf(error) };
        return false;
      }
    };
    return { current, start, stop };
  }, [id]);
}

export type Exporting = Pick<ReturnType<typeof useExport>, 'current' | 'stop'>;

/** In one request, or by a job if that takes too long. */
export const dashboardFile =
  (id: string): Writer<Omit<Types.ExportDashboard, 'format'>> =>
  async (format, chosen, writing) => {
    const body = { format, ...chosen };
    try {
      const isMany = (format === 'png' || format === 'csv') && body.cardIds?.length !== 1;
      const accept = (isMany ? 'application/zip' : MEDIA_TYPES[format]) as 'application/pdf';
      const options = { accept, signal: writing.signal, timeoutMs: TIMEOUT_MS, retries: 0 };
      const reply: unknown = await api.exports.exportDashboard(id, body, options);
      return () => saveFile(reply as Response);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'EXPORT_TOO_SLOW') throw error;
    }
    const { downloadUrl } = await writtenByJob(id, body, writing);
    return () => saveLink(downloadUrl);
  };

export const reportFile =
  (id: string): Writer<Omit<Types.ExportReport, 'format'>> =>
  async (format, chosen, writing) => {
    const accept = MEDIA_TYPES[format] as 'application/pdf';
    const options = { accept, signal: writing.signal, timeoutMs: TIMEOUT_MS, retries: 0 };
    const reply: unknown = await api.exports.exportReport(id, { format, ...chosen }, options);
    return () => saveFile(reply as Response);
  };

async function writtenByJob(id: string, body: Types.ExportDashboard, { signal: stopped, onProgress }: Writing) {
  const { timeoutMs: _timeout, ...wanted } = body;
  let job = await api.exports.startDashboardExport(id, wanted);
  while (job.status === 'queued' || job.status === 'running') {
    onProgress(job.progress?.percent);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (stopped.aborted) {
      await api.exports.cancelDashboardExport(id, job.id);
      stopped.throwIfAborted();
    }
    job = await api.exports.getDashboardExport(id, job.id);
  }
  if (!job.file) throw new Error(job.error?.message ?? 'The file was not written. Try again.');
  return job.file;
}
