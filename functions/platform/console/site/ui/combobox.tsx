import ComboboxNav from '@github/combobox-nav';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from './field.tsx';

export interface Option {
  id: string;
  label: string;
  hint?: string | undefined;
}

interface ComboboxProps {
  label: string;
  hint?: string;
  issue?: string | undefined;
  /** What was typed, or the label of what was chosen. */
  text: string;
  type: (text: string) => void;
  /** What matches the text. */
  options: readonly Option[];
  choose: (option: Option) => void;
}

/** A field that completes what is typed. Arrows move, Enter chooses, Escape closes the list. */
export function Combobox({ label, hint, issue, text, type, options, choose }: ComboboxProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen && options.length > 0;
  useListKeys({ input: () => frame.current?.querySelector('input'), list: () => list.current, isShown, options });
  const chosen = (target: EventTarget | null) => {
    const option = options.find((each) => `${id}-${each.id}` === (target as HTMLElement | null)?.id);
    if (!option) return;
    setOpen(false);
    choose(option);
  };
  useEffect(() => {
    const element = list.current!;
    const onCommit = ({ target }: Event) => chosen(target);
    element.addEventListener('combobox-commit', onCommit);
    return () => element.removeEventListener('combobox-commit', onCommit);
  });
  return (
    <div class="combobox" ref={frame}>
      <Field
        label={label}
        {...(hint !== undefined && { hint })}
        issue={issue}
        autocomplete="off"
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isShown) return;
          event.stopPropagation();
          setOpen(false);
        }}
        onInput={({ currentTarget }) => {
          setOpen(true);
          type(currentTarget.value);
        }}
      />
      {/* The field keeps the focus while a choice is clicked. */}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={!isShown}
        class="options"
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option) => (
          <div key={option.id} id={`${id}-${option.id}`} role="option" aria-selected="false" tabIndex={-1}>
            <span>{option.label}</span>
            {option.hint !== undefined && <span class="hint">{option.hint}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}

interface ListKeys {
  input: () => HTMLInputElement | null | undefined;
  list: () => HTMLElement | null;
  isShown: boolean;
  /** What the list shows: after a change, its first option is marked. */
  options: readonly unknown[];
}

/** Moves through the options of a list while the focus stays in its field. */
export function useListKeys({ input, list, isShown, options }: ListKeys): void {
  const keys = useRef<ComboboxNav>(undefined);
  // The field is a combobox also while its list is closed.
  useLayoutEffect(() => {
    const nav = new ComboboxNav(input()!, list()!, {
      firstOptionSelectionMode: 'selected',
      tabInsertsSuggestions: false,
    });
    keys.current = nav;
    return () => nav.destroy();
  }, []);
  // At once: Enter takes the first option as soon as it is seen.
  useLayoutEffect(() => {
    if (!isShown) return;
    keys.current!.start();
    return () => keys.current!.stop();
  }, [isShown, options]);
}
