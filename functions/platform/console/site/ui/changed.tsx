import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { Difference } from './differences.ts';

interface ChangedProps {
  /** What the other person has saved, in a sentence. */
  children?: ComponentChildren;
  /** Where their version differs from the form: `differencesOf(edit.theirs, draft, LABELS)`. */
  differences?: readonly Difference[];
  keepMine(): void;
  takeTheirs(): void;
}

/** In the place of the buttons of a form whose record another person has changed since it was opened. */
export const Changed = ({ children, differences = [], keepMine, takeTheirs }: ChangedProps) => (
  <div class="issue-box changed" role="alert">
    <p>Another person has changed this in the meantime. {children}</p>
    {differences.length > 0 && (
      <dl>
        {differences.map(({ label, theirs, mine }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              Theirs: <q>{theirs}</q>
            </dd>
            <dd>
              Yours: <q>{mine}</q>
            </dd>
          </div>
        ))}
      </dl>
    )}
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

/** The same over an editor that has no form to show it in. Closing it saves nothing and keeps the draft. */
export const ChangedDialog = ({ close, ...changed }: ChangedProps & { close: () => void }) => (
  <Dialog title="Two versions of this" close={close}>
    <Changed {...changed} />
  </Dialog>
);
