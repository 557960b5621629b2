import { signal } from '@preact/signals';
import { Button, IconButton } from './button.tsx';

interface Toast {
  id: number;
  text: string;
  isFailed: boolean;
  action?: { label: string; run(): void } | undefined;
}

interface ToastChoices {
  isFailed?: boolean;
  /** What undoes it, for ten seconds. */
  action?: Toast['action'];
}

const SHOWN_MS = 5_000;
const UNDO_MS = 10_000;

const toasts = signal<readonly Toast[]>([]);
let made = 0;

/** Says what has happened, for a few seconds. */
export function toast(text: string, { isFailed = false, action }: ToastChoices = {}): void {
  made += 1;
  const id = made;
  toasts.value = [...toasts.value, { id, text, isFailed, action }];
  setTimeout(() => dismiss(id), action ? UNDO_MS : SHOWN_MS);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

/** Where toasts appear; once on the page. */
export const Toasts = () => (
  <div class="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ id, text, isFailed, action }) => (
      <div key={id} class={isFailed ? 'toast failed' : 'toast'}>
        <p>{text}</p>
        {action && (
          <Button
            isSmall
            onClick={() => {
              dismiss(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        <IconButton icon="x" label="Dismiss" onClick={() => dismiss(id)} />
      </div>
    ))}
  </div>
);
