import { type Signal, useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { bound } from '../../../ui/bound.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Changed } from '../../../ui/changed.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { CheckField, Field, SelectField } from '../../../ui/field.tsx';
import type { Issues } from '../../../ui/schema-form.tsx';

type Tokens = Types.ThemeTokens;

/** Colors that are told apart by most people, also in print (Okabe and Ito). */
const FIRST: Tokens = {
  palette: ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'],
  fonts: { body: 'sans', heading: 'sans' },
  radius: 8,
  dark: false,
};

export function NewTheme({ close }: { close: () => void }) {
  const name = useSignal('');
  const tokens = useSignal(FIRST);
  const create = useAction(async () => {
    await api.themes.create({ name: name.peek().trim(), tokens: tokens.peek() });
    await refreshQueries(['themes']);
  });
  return (
    <Dialog
      title="New theme"
      close={close}
      action="Create"
      submit={create.run}
      isBusy={create.isRunning}
      problem={create.problem}
    >
      <Fields name={name} tokens={tokens} issues={create.problem?.issues ?? []} />
    </Dialog>
  );
}

export function EditTheme({ theme, close }: { theme: Types.Theme; close: () => void }) {
  const name = useSignal(theme.name);
  const tokens = useSignal(theme.tokens);
  const draft = () => ({ name: name.peek().trim(), tokens: tokens.peek() });
  const edit = useEdit(
    theme,
    () => api.themes.get(theme.id),
    async (ifMatch) => {
      const saved = await api.themes.update(theme.id, draft(), { ifMatch });
      await refreshQueries(['themes']);
      return saved;
    },
  );
  const { theirs, problem } = edit;
  return (
    <Dialog
      title={theme.name}
      close={close}
      action={theirs ? undefined : 'Save'}
      submit={edit.run}
      isBusy={edit.isRunning}
      problem={theirs || issueOf(problem, 'name') ? undefined : problem}
    >
      <Fields name={name} tokens={tokens} issues={problem?.issues ?? []} />
      {theirs && (
        <Changed
          differences={differencesOf(theirs, draft(), { name: 'Name', tokens: 'Look' })}
          keepMine={() => void edit.keepMine().then((isSaved) => isSaved && close())}
          takeTheirs={() => {
            void refreshQueries(['themes']);
            close();
          }}
        />
      )}
    </Dialog>
  );
}

interface FieldsProps {
  name: Signal<string>;
  tokens: Signal<Tokens>;
  issues: Issues;
}

function Fields({ name, tokens, issues }: FieldsProps) {
  const { palette, fonts, radius, dark } = tokens.value;
  const set = (change: Partial<Tokens>) => {
    tokens.value = { ...tokens.peek(), ...change };
  };
  const issueAt = (pointer: string) => issues.find((issue) => issue.pointer.startsWith(pointer))?.message;
  return (
    <>
      <Field label="Name" required maxLength={200} issue={issueAt('/name')} {...bound(name)} />
      <fieldset class="field-group colors">
        <legend>Colors of series</legend>
        {palette.map((color, index) => (
          <span key={index} class="color">
            <input
              type="color"
              aria-label={`Color ${index + 1}`}
              value={color}
              onInput={({ currentTarget }) =>
                set({ palette: palette.map((each, at) => (at === index ? currentTarget.value : each)) })
              }
            />
            {palette.length > 1 && (
              <IconButton
                icon="x"
                label={`Remove color ${index + 1}`}
                onClick={() => set({ palette: palette.filter((_each, at) => at !== index) })}
              />
            )}
          </span>
        ))}
        <Button isSmall icon="plus" onClick={() => set({ palette: [...palette, '#888888'] })}>
          Add a color
        </Button>
      </fieldset>
      {issueAt('/tokens/palette') && <p class="issue">{issueAt('/tokens/palette')}</p>}
      {(['body', 'heading'] as const).map((part) => (
        <SelectField
          key={part}
          label={part === 'body' ? 'Font' : 'Font of headings'}
          value={fonts[part]}
          onChange={({ currentTarget }) =>
            set({ fonts: { ...fonts, [part]: currentTarget.value as Tokens['fonts']['body'] } })
          }
        >
          <option value="sans">without serifs</option>
          <option value="serif">with serifs</option>
          <option value="mono">of equal width</option>
        </SelectField>
      ))}
      <Field
        label="Radius of corners, in pixels"
        type="number"
        min={0}
        max={32}
        issue={issueAt('/tokens/radius')}
        value={String(radius)}
        onInput={({ currentTarget }) => set({ radius: Number(currentTarget.value) })}
      />
      <CheckField
        label="Light text on a dark background"
        checked={dark}
        onChange={({ currentTarget }) => set({ dark: currentTarget.checked })}
      />
    </>
  );
}
