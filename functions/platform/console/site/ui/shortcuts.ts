import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Shortcut {
  /** A key such as `e` or `?`, a sequence such as `g r`, or a combination such as `Ctrl S`. */
  keys: string;
  label: string;
}

interface Known extends Shortcut {
  run(): void;
}

const known = signal<readonly Known[]>([]);

/** Those of the screen and of the frame, as the list of shortcuts shows them. */
export const shortcuts = (): readonly Shortcut[] => known.value;

/** Runs while the component is shown. Of the same keys, the component that came last has them. */
export function useShortcut(keys: string, label: string, run: () => void, isOn = true): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isOn) return;
    const own: Known = { keys, label, run: () => latest.current() };
    known.value = [...known.value, own];
    return () => {
      known.value = known.value.filter((each) => each !== own);
    };
  }, [keys, label, isOn]);
}

const SEQUENCE_MS = 1_500;
let begun: { key: string; at: number } | undefined;

/** Installs the shortcuts; once on the page. */
export function useShortcuts(): void {
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const isCombined = event.ctrlKey || event.metaKey;
  // Keys alone are text for fields, and layers have keys of their own.
  if (!isCombined && (isTyping(event.target) || document.querySelector('dialog[open], [popover]:popover-open'))) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const found = isCombined ? shortcutOf(combinationOf(event)) : sequenceOf(name);
  // Fields undo what is typed by themselves.
  if (!found || (isTyping(event.target) && UNDO.test(found.keys))) return;
  event.preventDefault();
  found.run();
}

const UNDO = /^Ctrl (Shift )?[ZY]$/;

/** Such as `Ctrl S` or `Ctrl Shift Z`. */
const combinationOf = ({ key, shiftKey }: KeyboardEvent): string =>
  key.length === 1 ? `Ctrl ${shiftKey ? 'Shift ' : ''}${key.toUpperCase()}` : `Ctrl ${key}`;

const shortcutOf = (keys: string): Known | undefined => known.value.findLast((each) => each.keys === keys);

function sequenceOf(key: string): Known | undefined {
  const first = begun && performance.now() - begun.at < SEQUENCE_MS ? begun.key : undefined;
  begun = undefined;
  const found = (first !== undefined && shortcutOf(`${first} ${key}`)) || shortcutOf(key);
  if (!found && known.value.some(({ keys }) => keys.startsWith(`${key} `))) begun = { key, at: performance.now() };
  return found;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
