import { useState } from 'preact/hooks';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { type DraftDag, type Place, stepOf } from './draft.ts';
import { type Kind, kindsAt } from './kinds.ts';

interface StepPickerProps {
  dag: DraftDag;
  place: Place;
  choose: (kind: Kind) => void;
  close: () => void;
}

/** The kinds of steps that fit at a place. Enter takes the first one that matches what was typed. */
export function StepPicker({ dag, place, choose, close }: StepPickerProps) {
  const [text, setText] = useState('');
  const words = text.trim().toLowerCase();
  const kinds = kindsAt(dag, place).filter(({ label, hint, group }) =>
    `${group} ${label} ${hint}`.toLowerCase().includes(words),
  );
  const take = (kind: Kind) => {
    close();
    choose(kind);
  };
  return (
    <Dialog
      title={titleOf(dag, place)}
      close={close}
      submit={async () => {
        if (kinds[0]) take(kinds[0]);
        return false;
      }}
    >
      <Field
        label="Kind of step"
        autocomplete="off"
        hint="Type to narrow the list; Enter takes the first."
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="kinds">
        {[...Map.groupBy(kinds, ({ group }) => group)].map(([group, all]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            {all.map((kind) => (
              <button key={kind.id} type="button" class="kind" onClick={() => take(kind)}>
                <Icon name={kind.icon} />
                <span>{kind.label}</span>
                <span class="hint">{kind.hint}</span>
              </button>
            ))}
          </section>
        ))}
        {kinds.length === 0 && <p class="hint">No kind matches.</p>}
      </div>
    </Dialog>
  );
}

function titleOf(dag: DraftDag, { after, before }: Place): string {
  if (after === undefined) return 'Add a step';
  if (before !== undefined) return `Add a step between ${after} and ${before}`;
  return stepOf(dag, after)?.type === 'load' ? `Read something after ${after}` : `Add a step after ${after}`;
}
