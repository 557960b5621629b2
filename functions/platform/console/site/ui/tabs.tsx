import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { reveal } from './reveal.ts';
import { leave } from './unsaved.ts';

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
  /** The parameter of the address that keeps the tab; an address without it shows the first one. */
  param?: string;
  /** The content of the current tab. */
  children: (current: string) => ComponentChildren;
}

/** One of several views of the same thing, kept in the address. Arrows move between the tabs. */
export function Tabs({ label, tabs, param = 'tab', children }: TabsProps) {
  const { query, path, route } = useLocation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === query[param]),
  );
  const current = tabs[at]!.id;
  // Where not all tabs have room, the current one is in sight.
  useEffect(() => reveal(list.current!, list.current!.children[at]!), [at, tabs.length]);
  const open = (index: number, then?: () => void) => {
    if (index === at) return;
    const { [param]: _former, ...others } = query;
    const text = String(new URLSearchParams(index === 0 ? others : { ...others, [param]: tabs[index]!.id }));
    leave(() => {
      route(path + (text && `?${text}`), true);
      then?.();
    }, panel.current);
  };
  const move = (event: KeyboardEvent) => {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    open(index, () => list.current!.querySelectorAll<HTMLElement>('[role="tab"]')[index]!.focus());
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} tabIndex={-1} ref={list} onKeyDown={move}>
        {tabs.map((tab, index) => {
          const isCurrent = index === at;
          return (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={isCurrent}
              aria-controls={isCurrent ? `${id}-panel` : undefined}
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => open(index)}
            >
              {tab.label}
              {tab.count !== undefined && <span class="hint"> {tab.count}</span>}
            </button>
          );
        })}
      </div>
      <div ref={panel} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} class="tab-panel">
        {children(current)}
      </div>
    </>
  );
}
