import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api, type Types } from '../../data/client.ts';
import { type FirstChart, firstCharts } from '../../data/first-charts.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { filesSource, ImportFailed, importEnd, importFile, newPath, uploadTo } from '../../data/upload.ts';

/** What was made of a file so far: a repeat continues from there. */
interface Progress {
  sourceId?: string;
  path?: string;
  isSent?: boolean;
  /** Of a dataset that is being imported. */
  importId?: string | undefined;
  table?: Types.DatasetView;
}

/** How far a file has come. */
export type Stage =
  | { step: 'none' }
  | { step: 'sending'; file: File; part: number | undefined }
  | { step: 'reading' | 'drawing'; file: File }
  | { step: 'failed'; file: File; problem: Problem; progress: Progress }
  | { step: 'done'; file: File; table: Types.DatasetView; charts: readonly FirstChart[] };

/**
 * Brings a file in, from the drop to its charts. A file that cannot be read leaves no table behind; one that is being
 * read when the person goes elsewhere is still imported.
 */
export function useBringIn(isDark: boolean) {
  const stage = useSignal<Stage>({ step: 'none' });
  const running = useRef<AbortController>(undefined);
  const dark = useRef(isDark);
  dark.current = isDark;
  // Charts are drawn for a background: on another one, they are drawn again.
  useEffect(() => {
    const shown = stage.peek();
    if (shown.step !== 'done') return;
    firstCharts(shown.table, isDark)
      .then((charts) => {
        if (stage.peek() === shown) stage.value = { ...shown, charts };
      })
      .catch(() => {});
  }, [isDark]);

  async function bringIn(file: File, progress: Progress = {}): Promise<void> {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const show = (next: Stage) => {
      if (!own.signal.aborted) stage.value = next;
    };
    try {
      progress.table ??= await sendAndRead(file, progress, own.signal, show);
      show({ step: 'drawing', file });
      const { table } = progress;
      show({ step: 'done', file, table, charts: await firstCharts(table, dark.current) });
    } catch (error) {
      show({ step: 'failed', file, problem: problemOf(error), progress });
    }
  }

  const stop = () => {
    running.current?.abort();
    stage.value = { step: 'none' };
  };
  return { stage: stage.value, bringIn, stop };
}

async function sendAndRead(
  file: File,
  progress: Progress,
  signal: AbortSignal,
  show: (stage: Stage) => void,
): Promise<Types.DatasetView> {
  show({ step: 'sending', file, part: undefined });
  progress.sourceId ??= await filesSource();
  progress.path ??= newPath(file);
  const { sourceId, path } = progress;
  if (!progress.isSent) {
    await uploadTo(sourceId, path, file, { signal, onSent: (part) => show({ step: 'sending', file, part }) });
    progress.isSent = true;
  }
  show({ step: 'reading', file });
  progress.importId ??= (await importFile(sourceId, path, file.name)).id;
  const table = await readTable(progress.importId, signal).catch((error) => {
    if (error instanceof ImportFailed) progress.importId = undefined;
    throw error;
  });
  void refreshQueries(['datasets']);
  return table;
}

async function readTable(id: string, signal: AbortSignal): Promise<Types.DatasetView> {
  try {
    return await importEnd(id, signal);
  } catch (error) {
    if (error instanceof ImportFailed || signal.aborted) await api.datasets.delete(id).catch(() => {});
    throw error;
  }
}
