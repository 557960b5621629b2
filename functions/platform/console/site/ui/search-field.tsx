import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

const PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  value: string;
  /** After a pause in typing. */
  onSearch(text: string): void;
}

/** A field that narrows what is below it. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => setText(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search.current(next.trim()), PAUSE_MS);
  };
  return (
    <div class="search-field">
      <Icon name="search" size={16} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => later(currentTarget.value)}
      />
    </div>
  );
}
