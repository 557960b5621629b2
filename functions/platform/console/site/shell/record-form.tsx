import type { ComponentChildren } from 'preact';
import type { Action } from '../data/action.ts';
import { besides } from '../data/problem.ts';
import type { Edit } from '../data/versioned.ts';
import { Changed } from '../ui/changed.tsx';
import type { Difference } from '../ui/differences.ts';
import { Form } from '../ui/form.tsx';

interface Common {
  /** The button that saves, such as `Create`. */
  action: string;
  /** The members of the request whose issues the fields show. */
  fields: readonly string[];
  /** Once it is saved. */
  saved?: () => void;
  /** Beside the button. */
  others?: ComponentChildren;
  /** The fields. */
  children: ComponentChildren;
}

interface NewRecord extends Common {
  saving: Action<[]>;
}

interface EditedRecord<T extends { revision: number }> extends Common, Omit<TheirsProps<T>, 'saved'> {}

/**
 * The form of a record, new (`useAction`) or as several people may change it (`useEdit`): what another person has saved
 * since the form was opened is shown, and not overwritten.
 */
export function RecordForm<T extends { revision: number }>(props: NewRecord | EditedRecord<T>) {
  const { action, fields, saving, saved, others, children } = props;
  return (
    <Form
      action={action}
      submit={async () => {
        if (await saving.run()) saved?.();
      }}
      isBusy={saving.isRunning}
      problem={besides(saving.problem, fields)}
      others={others}
      instead={'take' in props && props.saving.theirs ? <Theirs {...props} /> : undefined}
    >
      {children}
    </Form>
  );
}

interface TheirsProps<T extends { revision: number }> {
  saving: Edit<T, []>;
  /** Where what another person has saved differs from the fields. */
  differences?: (theirs: T) => readonly Difference[];
  /** Puts what another person has saved into the fields. */
  take: (theirs: T) => void;
  saved?: () => void;
}

/** In the place of the buttons of a form while `saving.theirs` is there. */
export function Theirs<T extends { revision: number }>({ saving, differences, take, saved }: TheirsProps<T>) {
  const theirs = saving.theirs!;
  return (
    <Changed
      differences={differences?.(theirs) ?? []}
      keepMine={async () => {
        if (await saving.keepMine()) saved?.();
      }}
      takeTheirs={() => {
        take(theirs);
        saving.takeTheirs();
      }}
    />
  );
}
