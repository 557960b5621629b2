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

interface EditedRecord<T extends { revision: number }> extends Common {
  saving: Edit<T, []>;
  /** Where what another person has saved differs from the fields. */
  differences: (theirs: T) => readonly Difference[];
  /** Puts what another person has saved into the fields. */
  take: (theirs: T) => void;
}

/**
 * The form of a record, new (`useAction`) or as several people may change it (`useEdit`): what another person has saved
 * since the form was opened is shown, and not overwritten.
 */
export function RecordForm<T extends { revision: number }>(props: NewRecord | EditedRecord<T>) {
  const { action, fields, saving, saved, others, children } = props;
  const done = async (isSaved: Promise<boolean>) => {
    if (await isSaved) saved?.();
  };
  return (
    <Form
      action={action}
      submit={() => done(saving.run())}
      isBusy={saving.isRunning}
      problem={besides(saving.problem, fields)}
      others={others}
      instead={'take' in props && props.saving.theirs ? <Theirs {...props} done={done} /> : undefined}
    >
      {children}
    </Form>
  );
}

interface TheirsProps<T extends { revision: number }> extends Pick<EditedRecord<T>, 'saving' | 'differences' | 'take'> {
  done(isSaved: Promise<boolean>): Promise<void>;
}

function Theirs<T extends { revision: number }>({ saving, differences, take, done }: TheirsProps<T>) {
  const theirs = saving.theirs!;
  return (
    <Changed
      differences={differences(theirs)}
      keepMine={() => void done(saving.keepMine())}
      takeTheirs={() => {
        take(theirs);
        saving.takeTheirs();
      }}
    />
  );
}
