import { type ComponentChildren, type JSX, toChildArray } from 'preact';
import { useId } from 'preact/hooks';

interface Labelled {
  label: string;
  /** Below the control, such as what is accepted. */
  hint?: ComponentChildren;
  /** Why the value is refused. */
  issue?: string | undefined;
}

type Native = JSX.IntrinsicElements;
/** Without those that `Omit` would mix between the types of inputs. */
type Input = Omit<Native['input'], 'label' | 'role'>;
type Choice = Omit<Native['select'], 'label' | 'role'>;
type Text = Omit<Native['textarea'], 'label' | 'role'>;

/** What connects a control with its label, hint and issue. */
function useField({ hint, issue }: Pick<Labelled, 'hint' | 'issue'>) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, issue !== undefined && `${id}-issue`].filter(Boolean);
  return {
    id,
    control: {
      id,
      'aria-invalid': issue !== undefined || undefined,
      'aria-describedby': described.join(' ') || undefined,
    },
  } as const;
}

const Frame = ({ id, label, hint, issue, children }: Labelled & { id: string; children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {issue !== undefined && (
      <p class="issue" id={`${id}-issue`}>
        {issue}
      </p>
    )}
  </div>
);

export function Field({ label, hint, issue, ...native }: Input & Labelled & { list?: string }) {
  const { id, control } = useField({ hint, issue });
  return (
    <Frame id={id} label={label} hint={hint} issue={issue}>
      <input {...({ ...native, ...control } as Native['input'])} />
    </Frame>
  );
}

export function TextField({ label, hint, issue, ...native }: Text & Labelled) {
  const { id, control } = useField({ hint, issue });
  return (
    <Frame id={id} label={label} hint={hint} issue={issue}>
      <textarea rows={4} {...native} {...control} />
    </Frame>
  );
}

/** What is chosen counts as chosen while its option is still being read, so that a form can be sent by then. */
export function SelectField({ label, hint, issue, children, ...native }: Choice & Labelled) {
  const { id, control } = useField({ hint, issue });
  const { required, value } = native;
  return (
    <Frame id={id} label={label} hint={hint} issue={issue}>
      <select {...native} {...control}>
        {children}
        {required && value && !hasOption(children, value) && <option value={value} hidden />}
      </select>
    </Frame>
  );
}

const hasOption = (children: ComponentChildren, value: unknown): boolean =>
  toChildArray(children).some(
    (child) =>
      typeof child === 'object' &&
      (child.type === 'option'
        ? (child.props as { value?: unknown }).value === value
        : hasOption(child.props.children, value)),
  );

export function CheckField({ label, hint, issue, ...native }: Input & Labelled) {
  const { id, control } = useField({ hint, issue });
  return (
    <div class="field check">
      <label for={id}>
        <input {...({ ...native, ...control, type: 'checkbox' } as Native['input'])} />
        {label}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
