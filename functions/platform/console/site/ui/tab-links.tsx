import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';

interface TabLinksProps {
  label: string;
  tabs: readonly { key: string; title: string }[];
  /** The parameter of the address; the first tab is that of an address without it. */
  param?: string;
  children(current: string): ComponentChildren;
}

/** Tabs that are kept in the address. Arrows move between them. */
export function TabLinks({ label, tabs, param = 'tab', children }: TabLinksProps) {
  const { query, path, route } = useLocation();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ key }) => key === query[param])?.key ?? tabs[0]!.key;
  const open = (key: string) => {
    const { [param]: _former, ...others } = query;
    const next = key === tabs[0]!.key ? others : { ...others, [param]: key };
    const text = String(new URLSearchParams(next));
    route(path + (text && `?${text}`), true);
  };
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ key }) => key === current);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    open(tabs[index]!.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => open(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} class="tab-panel">
        {children(current)}
      </div>
    </>
  );
}
