import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab {
  id: string;
  label: string;
  /** Beside the label. */
  count?: number | undefined;
}

interface TabsProps {
  /** What the tabs are of. */
  label: string;
  tabs: readonly Tab[];
  current: string;
  /** The tab belongs into the query of the address. */
  choose: (id: string) => void;
  /** The content of the current tab. */
  children: ComponentChildren;
}

/** One of several views of the same thing. Arrows move between the tabs. */
export function Tabs({ label, tabs, current, choose, children }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === current);
    const places: Record<string, number> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(tabs[next]!.id);
    list.current!.querySelectorAll<HTMLElement>('[role="tab"]')[next]!.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} tabIndex={-1} ref={list} onKeyDown={move}>
        {tabs.map((tab) => {
          const isCurrent = tab.id === current;
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={isCurrent}
              aria-controls={isCurrent ? `${id}-panel` : undefined}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => choose(tab.id)}
            >
              {tab.label}
              {tab.count !== undefined && <span class="hint"> {tab.count}</span>}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
