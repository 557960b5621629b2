import { el } from './dom.ts';
import type { Pick } from './table.ts';

const MARKS =
  '[role="graphics-symbol"][aria-label]:not([aria-roledescription="axis"]):not([aria-roledescription="legend"])';

/**
 * Shows the values of a mark beside the pointer. For the keyboard, a chart is one tab stop; the arrow keys move between
 * its marks, and Escape leaves them. A click, or Enter, picks the row of a mark.
 */
export function explorable(svg: SVGElement, frame: HTMLElement, pick?: Pick): void {
  const marks = [...svg.querySelectorAll<SVGElement>(MARKS)];
  if (marks.length === 0) return;
  const tip = el('div', { class: 'tip', hidden: true, role: 'status' });
  frame.append(tip);
  frame.tabIndex = 0;
  frame.setAttribute('role', 'group');
  frame.setAttribute(
    'aria-label',
    `${svg.getAttribute('aria-label') ?? 'Chart'}. Use the arrow keys to read its values${pick ? ', and Enter to filter by one or to see its details' : ''}.`,
  );
  let current = -1;

  const show = (mark: SVGElement) => {
    tip.replaceChildren(...linesOf(mark.getAttribute('aria-label') ?? ''));
    tip.hidden = false;
    const [box, outer] = [mark.getBoundingClientRect(), frame.getBoundingClientRect()];
    const left = box.left + box.width / 2 - outer.left - tip.offsetWidth / 2;
    const top = box.top - outer.top - tip.offsetHeight - 8;
    tip.style.left = `${Math.max(0, Math.min(left, outer.width - tip.offsetWidth))}px`;
    tip.style.top = `${top < 0 ? Math.min(box.bottom - outer.top + 8, outer.height - tip.offsetHeight) : top}px`;
  };
  const hide = () => {
    tip.hidden = true;
    marks[current]?.classList.remove('current');
    current = -1;
  };
  const move = (next: number) => {
    marks[current]?.classList.remove('current');
    current = (next + marks.length) % marks.length;
    marks[current]!.classList.add('current');
    show(marks[current]!);
  };

  svg.addEventListener('pointerover', ({ target }) => {
    const mark = (target as Element).closest<SVGElement>(MARKS);
    if (mark) show(mark);
    else if (current < 0) tip.hidden = true;
  });
  const picked = (mark: SVGElement | null | undefined) => {
    const row = mark?.dataset.row;
    if (!pick || !mark || row === undefined) return false;
    pick(Number(row), mark, frame);
    return true;
  };
  if (pick) frame.classList.add('pickable');
  svg.addEventListener('click', ({ target }) => picked((target as Element).closest<SVGElement>(MARKS)));
  frame.addEventListener('pointerleave', hide);
  frame.addEventListener('blur', hide);
  const keys: Record<string, () => unknown> = {
    ArrowRight: () => move(current + 1),
    ArrowDown: () => move(current + 1),
    ArrowLeft: () => move(current < 0 ? -1 : current - 1),
    ArrowUp: () => move(current < 0 ? -1 : current - 1),
    Home: () => move(0),
    End: () => move(-1),
    Escape: hide,
    Enter: () => picked(marks[current]),
    ' ': () => picked(marks[current]),
  };
  frame.addEventListener('keydown', (event) => {
    const run = keys[event.key];
    if (run && run() !== false) event.preventDefault();
  });
}

/** A legend without room counts its last names in an entry of its own. */
const entriesOf = (svg: SVGElement) =>
  [...svg.querySelectorAll<SVGElement>('[data-series] .role-legend-entry .role-scope > g')].filter(
    ({ textContent }) => !/^…\d+ entries$/.test(textContent ?? ''),
  );

/** The names of the legend. */
export const seriesIn = (svg: SVGElement): string => JSON.stringify(entriesOf(svg).map((entry) => entry.textContent));

/** Each name of the legend hides its series and shows it again, but not the last one. */
export function switchable(svg: SVGElement, hidden: Set<number>, redraw: () => Promise<void>): void {
  const entries = entriesOf(svg);
  // What a legend says to those who do not see it would hide its buttons.
  for (const legend of svg.querySelectorAll('[data-series]')) legend.setAttribute('role', 'group');
  const change = async (at: number) => {
    if (hidden.has(at)) hidden.delete(at);
    else if (hidden.size < entries.length - 1) hidden.add(at);
    const frame = svg.closest('[data-card]');
    await redraw();
    frame?.querySelectorAll<SVGElement>('.series')[at]?.focus();
  };
  for (const [at, entry] of entries.entries()) {
    const attributes = { class: 'series', role: 'button', tabindex: '0', 'aria-pressed': String(!hidden.has(at)) };
    for (const [name, value] of Object.entries(attributes)) entry.setAttribute(name, value);
    entry.addEventListener('click', () => void change(at));
    entry.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      event.stopPropagation();
      void change(at);
    });
  }
}

/** `Region: North; Sales: 12` in lines. */
const linesOf = (label: string): HTMLElement[] =>
  label.split('; ').map((line) => {
    const [, name, value] = /^(.*?): (.*)$/s.exec(line) ?? [];
    return name === undefined || value === undefined
      ? el('div', {}, line)
      : el('div', {}, `${name} `, el('b', {}, value));
  });
