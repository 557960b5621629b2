import { useEffect, useRef, useState } from 'preact/hooks';
import { config } from '../../ui/config.ts';
import { NotLoaded } from '../../ui/lazy-part.tsx';
import { loadScript } from '../../ui/loading.ts';
import { Loading } from '../../ui/states.tsx';
import type { CatalogTable } from './catalog.ts';
import type { Database } from './dialects.ts';
import type { SqlEditor } from './editor-view.ts';
import type { Tabs } from './tabs.ts';

interface EditorBoxProps {
  tabs: Tabs;
  /** Filled once the editor is loaded. */
  editor: { current: SqlEditor | undefined };
  database: Database;
  tables: readonly CatalogTable[] | undefined;
  run(): void;
}

const NO_TABLES: readonly CatalogTable[] = [];

/** The place of the editor, which is loaded after the rest of the screen. Typing renders nothing else. */
export function EditorBox({ tabs, editor, database, tables = NO_TABLES, run }: EditorBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [error, setError] = useState<Error>();
  const latestRun = useRef(run);
  latestRun.current = run;
  const { id } = tabs.current;
  useEffect(() => {
    let isShown = true;
    loadScript(() => import('./editor-view.ts')).then(({ SqlEditor: Editor }) => {
      if (!isShown) return;
      editor.current = new Editor(box.current!, {
        nonce: config.nonce,
        onChange: (tabId, text) => tabs.type(tabId, text),
        run: () => latestRun.current(),
      });
      setLoaded(true);
    }, setError);
    return () => {
      isShown = false;
      tabs.flush();
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, [tabs]);
  useEffect(() => editor.current?.learn(database, tables), [isLoaded, database, tables]);
  useEffect(() => {
    editor.current?.show(id, tabs.textOf(id));
    if (isLoaded && isDesk()) editor.current?.focus();
  }, [isLoaded, id]);
  return (
    <div class="sql-editor">
      {error ? <NotLoaded error={error} /> : !isLoaded && <Loading rows={5} />}
      <div ref={box} class="sql-editor-view" hidden={!isLoaded} />
    </div>
  );
}

/** On phones, the focus would open the keyboard over the page. */
const isDesk = (): boolean => matchMedia('(width >= 860px)').matches;
