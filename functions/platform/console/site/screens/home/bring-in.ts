import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api, type Types } from '../../data/client.ts';
import { type FirstChart, firstCharts } from '../../data/first-charts.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { filesSource, importEnd, importFile, uploadNew } from '../../data/upload.ts';

/** How far a file has come. */
export type Stage =
  | { step: 'none' }
  | { step: 'sending'; file: File; part: number | undefined }
  | { step: 'reading' | 'drawing'; file: File }
  | { step: 'failed'; file: File; problem: Problem; table: Types.DatasetView | undefined }
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

  /** Continues with the table of an earlier try, if it came that far. */
  async function bringIn(file: File, earlier?: Types.DatasetView): Promise<void> {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const show = (next: Stage) => {
      if (!own.signal.aborted) stage.value = next;
    };
    let table = earlier;
    try {
      table ??= await sendAndRead(file, own.signal, show);
      show({ step: 'drawing', file });
      show({ step: 'done', file, table, charts: await firstCharts(table, dark.current) });
    } catch (error) {
      show({ step: 'failed', file, problem: problemOf(error), table });
    }
  }

  const stop = () => {
    running.current?.abort();
    stage.value = { step: 'none' };
  };
  return { stage: stage.value, bringIn, stop };
}

async function sendAndRead(file: File, signal: AbortSignal, show: (stage: Stage) => void): Promise<Types.DatasetView> {
  show({ step: 'sending', file, part: undefined });
  const sourceId = await filesSource();
  const onSent = (part: number) => show({ step: 'sending', file, part });
  const path = await uploadNew(sourceId, file, { signal, onSent });
  show({ step: 'reading', file });
  const table = await readTable(sourceId, path, file.name, signal);
  void refreshQueries(['datasets']);
  return table;
}

async function readTable(
  sourceId: string,
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<Types.DatasetView> {
  const { id } = await importFile(sourceId, path, name);
  try {
    return await importEnd(id, signal);
  } catch (error) {
    await api.datasets.delete(id).catch(() => {});
    throw error;
  }
}
