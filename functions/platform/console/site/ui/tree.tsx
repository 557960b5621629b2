import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface TreeProps {
  /** What the items are. */
  label: string;
  children: ComponentChildren;
}

const Level = createContext(1);

/** Items with items below them. Arrows move, right opens and left closes. */
export function Tree({ label, children }: TreeProps) {
  const tree = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const items = [...tree.current!.querySelectorAll<HTMLElement>('[role="treeitem"]')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = nextItem(event.key, items, at);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  return (
    <div ref={tree} class="tree" role="tree" aria-label={label} onKeyDown={onKey}>
      {children}
    </div>
  );
}

function nextItem(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const item = items[at];
  if (key === 'ArrowDown') return items[at + 1];
  if (key === 'ArrowUp') return items[at - 1];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'ArrowLeft' && item?.getAttribute('aria-expanded') !== 'true')
    return item?.parentElement?.closest<HTMLElement>('[role="treeitem"]') ?? undefined;
  if (key === 'ArrowRight' && item?.getAttribute('aria-expanded') === 'true')
    return item.querySelector<HTMLElement>('[role="treeitem"]') ?? undefined;
  return undefined;
}

interface TreeItemProps {
  label: ComponentChildren;
  /** The first item of the tree is where Tab goes. */
  isFirst?: boolean;
  isChosen?: boolean;
  choose?: () => void;
  /** The items below, made when the item is opened; absent for leaves. */
  items?: () => ComponentChildren;
}

export function TreeItem({ label, isFirst, isChosen = false, choose, items }: TreeItemProps) {
  const isOpen = useSignal(false);
  const level = useContext(Level);
  const toggle = () => {
    if (items) isOpen.value = !isOpen.value;
  };
  const activate = () => {
    choose?.();
    if (!choose) toggle();
  };
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={isChosen}
      aria-expanded={items ? isOpen.value : undefined}
      tabIndex={isFirst || isChosen ? 0 : -1}
      onKeyDown={(event) => {
        const { key, target, currentTarget } = event;
        if (target !== currentTarget) return;
        if (key === 'Enter' || key === ' ') activate();
        else if (key === 'ArrowRight' && items && !isOpen.value) toggle();
        else if (key === 'ArrowLeft' && isOpen.value) toggle();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the item has the keys. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the item has the role. */}
      <div class="tree-row" style={{ paddingLeft: `${(level - 1) * 18 + 6}px` }} onClick={activate}>
        {items ? <Icon name={isOpen.value ? 'chevron-down' : 'chevron-right'} size={16} /> : <span class="no-icon" />}
        {label}
      </div>
      {items && isOpen.value && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a tree.
        <div role="group">
          <Level.Provider value={level + 1}>{items()}</Level.Provider>
        </div>
      )}
    </div>
  );
}
