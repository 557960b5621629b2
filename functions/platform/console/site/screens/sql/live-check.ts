import { useEffect } from 'preact/hooks';
import { api } from '../../data/client.ts';
import type { Database } from './dialects.ts';
import type { SqlEditor } from './editor-view.ts';
import { castParameters, valuesOf } from './parameters.ts';
import { placesOf } from './runs.ts';
import { parametersOf } from './statements.ts';
import type { Tab, Tabs } from './tabs.ts';

const PAUSE_MS = 1_000;
/** Longer texts are checked when they run. */
const MAX_LENGTH = 50_000;

interface LiveCheck {
  tabs: Tabs;
  tab: Tab;
  editor: { current: SqlEditor | undefined };
  database: Database;
}

/** Underlines the issues of the statement at the cursor when typing pauses. Failures of the check are not shown. */
export function useLiveCheck({ tabs, tab, editor, database }: LiveCheck): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let controller = new AbortController();
    const check = async () => {
      const text = tabs.textOf(tab.id);
      const range = editor.current?.wanted();
      if (!range || text.length > MAX_LENGTH) return editor.current?.mark([]);
      const written = text.slice(range.from, range.to);
      const names = parametersOf(written);
      const { sql, placeOf } = castParameters(written, tab.params, database);
      const { errors } = await api.query.validate(
        {
          sql,
          ...(tab.sourceId !== null && { sourceId: tab.sourceId }),
          ...(names.length > 0 && { params: valuesOf(names, tab.params) }),
        },
        { signal: controller.signal, retries: 0 },
      );
      if (tabs.textOf(tab.id) === text)
        editor.current?.mark(placesOf(errors, sql, { text, from: range.from, placeOf }));
    };
    const stop = tabs.onType(() => {
      clearTimeout(timer);
      controller.abort();
      controller = new AbortController();
      timer = setTimeout(() => void check().catch(() => {}), PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
      stop();
    };
  }, [tabs, tab, database]);
}
