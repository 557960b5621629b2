import { el } from './dom.ts';

export interface Action {
  text: string;
  /** What it does, if it does not open an address. */
  run?(): void;
  href?: string;
  /** Whether the address is on another site, which learns nothing of this one. */
  isElsewhere?: boolean;
}

let open: { close(isBack: boolean): void } | undefined;

/**
 * Offers what can be done with a row, beside the element that shows it. The arrow keys move between the actions;
 * Escape, and leaving the menu, close it. Closing it returns the focus to `back`.
 */
export function openRowMenu(title: string, actions: readonly Action[], anchor: Element, back: HTMLElement): void {
  open?.close(false);
  const item = { role: 'menuitem', tabindex: '-1' };
  const elsewhere = { target: '_blank', rel: 'noopener noreferrer' };
  const buttons: readonly HTMLElement[] = actions.map(({ text, href, isElsewhere }) =>
    href === undefined
      ? el('button', { type: 'button', ...item }, text)
      : el('a', { href, ...item, ...(isElsewhere && elsewhere) }, text),
  );
  const menu = el('div', { class: 'row-menu', role: 'menu', 'aria-label': title }, ...buttons);
  const away = new AbortController();
  const close = (isBack: boolean) => {
    away.abort();
    menu.remove();
    open = undefined;
    if (isBack) back.focus();
  };
  open = { close };
  for (const [index, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      close(true);
      actions[index]!.run?.();
    });
  }
  menu.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) buttons[(at + step + buttons.length) % buttons.length]!.focus();
    else if (event.key === 'Home') buttons[0]!.focus();
    else if (event.key === 'End') buttons.at(-1)!.focus();
    else if (event.key === 'Escape') close(true);
    else if (event.key === 'Tab') return close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const outside = ({ target }: Event) => {
    if (!menu.contains(target as Node)) close(false);
  };
  document.addEventListener('pointerdown', outside, { signal: away.signal, capture: true });
  place(menu, anchor);
  buttons[0]?.focus({ preventScroll: true });
}

/** Below the element, within the page. */
function place(menu: HTMLElement, anchor: Element): void {
  (anchor.closest('.board') ?? document.querySelector('main') ?? document.body).append(menu);
  const box = anchor.getBoundingClientRect();
  const left = Math.min(box.left + box.width / 2, document.documentElement.clientWidth - menu.offsetWidth - 8);
  const below = box.bottom + 4;
  const top = below + menu.offsetHeight > innerHeight ? Math.max(8, box.top - menu.offsetHeight - 4) : below;
  menu.style.left = `${Math.max(8, left) + scrollX}px`;
  menu.style.top = `${top + scrollY}px`;
}
