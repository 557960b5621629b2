import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { parametersOf } from './statements.ts';
import type { Tabs } from './tabs.ts';

const PAUSE_MS = 250;

/** The parameters of a tab, read again when typing pauses. */
export function useParameterNames(tabs: Tabs, id: string): readonly string[] {
  const names = useSignal<readonly string[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      const found = parametersOf(tabs.textOf(id));
      if (found.join() !== names.peek().join()) names.value = found;
    };
    read();
    const stop = tabs.onType(() => {
      clearTimeout(timer);
      timer = setTimeout(read, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [tabs, id]);
  return names.value;
}
