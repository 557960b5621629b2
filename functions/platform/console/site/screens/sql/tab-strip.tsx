import { useRef } from 'preact/hooks';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Tabs } from './tabs.ts';

interface TabStripProps {
  tabs: Tabs;
  close(id: string): void;
}

/** What a tab is called until it has a name. */
export const labelOf = (name: string, index: number): string => name || `Query ${index + 1}`;

/** The tabs of the pad. Arrows move between them, and Delete closes one. */
export function TabStrip({ tabs, close }: TabStripProps) {
  const list = useRef<HTMLDivElement>(null);
  const all = tabs.all.value;
  const at = all.findIndex(({ id }) => id === tabs.current.id);
  const onKey = (event: KeyboardEvent) => {
    const next = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === 'Delete') close(tabs.current.id);
    else if (next === undefined) return;
    else tabs.show(all[next]!.id);
    event.preventDefault();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  return (
    <div class="sql-tabs">
      <div class="tabs" role="tablist" aria-label="Queries" tabIndex={-1} ref={list} onKeyDown={onKey}>
        {all.map(({ id, name }, index) => {
          const isCurrent = index === at;
          const isChanged = tabs.changed.value.has(id);
          return (
            <div key={id} role="presentation" class="sql-tab">
              <button
                type="button"
                role="tab"
                id={`tab-${id}`}
                aria-selected={isCurrent}
                aria-controls={isCurrent ? 'sql-pad' : undefined}
                tabIndex={isCurrent ? 0 : -1}
                onClick={() => tabs.show(id)}
                onAuxClick={({ button }) => button === 1 && close(id)}
              >
                <span class="sql-tab-name">{labelOf(name, index)}</span>
                {isChanged && <span title="Changed since it was saved"> •</span>}
              </button>
              {/* For pointers; Delete closes a tab by the keyboard. */}
              <span class="sql-tab-close" aria-hidden="true" title="Close" onClick={() => close(id)}>
                <Icon name="x" size={14} />
              </span>
            </div>
          );
        })}
      </div>
      <IconButton icon="plus" label="New query" onClick={() => tabs.add({ sourceId: tabs.current.sourceId })} />
    </div>
  );
}

/** Closes a tab, and offers to open it again. */
export function closeTab(tabs: Tabs, id: string): void {
  const closed = tabs.close(id);
  if (!closed || closed.sql.trim() === '') return;
  toast(`Closed “${closed.name || 'a query'}”.`, { action: { label: 'Undo', run: () => void tabs.add(closed) } });
}
