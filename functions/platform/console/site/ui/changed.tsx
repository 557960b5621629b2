import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';

interface ChangedProps {
  /** The difference: what the other person has saved. */
  children: ComponentChildren;
  keepMine(): void;
  takeTheirs(): void;
}

/** In a dialog whose record another person has changed since it was opened. */
export const Changed = ({ children, keepMine, takeTheirs }: ChangedProps) => (
  <div class="issue-box changed" role="alert">
    <p>Another person has changed this in the meantime. {children}</p>
    <div class="actions">
      <Button isSmall onClick={takeTheirs}>
        Take theirs
      </Button>
      <Button isSmall look="main" onClick={keepMine}>
        Keep mine
      </Button>
    </div>
  </div>
);
