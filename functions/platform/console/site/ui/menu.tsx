import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import { place } from './place.ts';

export interface MenuChoice {
  label: string;
  icon?: IconName;
  /** Beside the label, such as a role. */
  hint?: string;
  /** Of several choices, the one that applies. */
  isChosen?: boolean;
  /** An address, for a choice that is a link. */
  href?: string;
  run?: () => void;
  isDanger?: boolean;
}

interface MenuProps {
  /** The name of the button, if its content does not say it. */
  label?: string;
  /** The content of the button. */
  children: ComponentChildren;
  /** Groups of choices, with a line between them. */
  choices: readonly (readonly MenuChoice[])[];
  class?: string;
  look?: 'main' | 'plain';
  /** At the right edge of the button instead of its left one. */
  isRight?: boolean;
}

/** A button with choices. Arrows move between them, Escape closes and returns to the button. */
export function Menu({ label, children, choices, class: name = '', look = 'plain', isRight }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // A table may have a menu in each row, of which few are opened.
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    const menu = list.current!;
    const onBefore = ({ newState }: ToggleEvent) => newState === 'open' && setWanted(true);
    const onToggle = ({ newState }: ToggleEvent) => {
      const isOpen = newState === 'open';
      // A choice may have removed the menu.
      button.current?.setAttribute('aria-expanded', String(isOpen));
      if (!isOpen || !button.current) return;
      place(menu, button.current, isRight === true);
      itemsOf(menu)[0]?.focus();
    };
    // The choices are drawn between both events.
    menu.addEventListener('beforetoggle', onBefore as EventListener);
    menu.addEventListener('toggle', onToggle as EventListener);
    return () => {
      menu.removeEventListener('beforetoggle', onBefore as EventListener);
      menu.removeEventListener('toggle', onToggle as EventListener);
    };
  }, [isRight]);
  const close = () => list.current?.hidePopover();
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button ${look} ${name}`}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded="false"
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          list.current?.showPopover();
        }}
      >
        {children}
      </button>
      <div ref={list} id={id} class="menu" popover="auto" role="menu" onKeyDown={(event) => move(event, close)}>
        {(isWanted ? choices : [])
          .filter((group) => group.length > 0)
          .map((group, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
            <div role="group" key={index}>
              {group.map((choice) => (
                <Choice key={choice.label} choice={choice} close={close} />
              ))}
            </div>
          ))}
      </div>
    </>
  );
}

function Choice({ choice, close }: { choice: MenuChoice; close: () => void }) {
  const { label, icon, hint, isChosen, href, run, isDanger } = choice;
  const content = (
    <>
      {isChosen !== undefined && (isChosen ? <Icon name="check" size={16} /> : <span class="no-icon" />)}
      {icon && <Icon name={icon} size={16} />}
      <span>{label}</span>
      {hint && <span class="hint">{hint}</span>}
    </>
  );
  const role = isChosen === undefined ? 'menuitem' : 'menuitemradio';
  const common = { role, tabIndex: -1, class: isDanger ? 'danger' : undefined, 'aria-checked': isChosen } as const;
  if (href !== undefined) {
    return (
      <a {...common} href={href} onClick={close}>
        {content}
      </a>
    );
  }
  const choose = () => {
    close();
    run?.();
  };
  return (
    <button type="button" {...common} onClick={choose}>
      {content}
    </button>
  );
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];

function move(event: KeyboardEvent, close: () => void): void {
  const items = itemsOf(event.currentTarget as HTMLElement);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = nextPlace(event.key, at, items);
  if (event.key === 'Tab') close();
  if (next === undefined) return;
  event.preventDefault();
  items[next]?.focus();
}

function nextPlace(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % items.length;
  if (key === 'ArrowUp') return (at - 1 + items.length) % items.length;
  if (key === 'Home') return 0;
  if (key === 'End') return items.length - 1;
  if (!/^\S$/.test(key)) return undefined;
  // The first letter of a choice.
  const order = items.map((_, index) => (at + 1 + index) % items.length);
  return order.find((index) => items[index]!.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}
