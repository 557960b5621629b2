import { type ReportDraft, withoutParameter, withParameter } from '../../data/report-draft.ts';
import { type Parameter, typedValue, valueOfText } from '../../data/reports.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CheckField, Field, SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';

const TYPES = { text: 'text', number: 'number', boolean: 'true or false', date: 'date' } as const;

interface ReportParametersProps {
  draft: ReportDraft;
  issueAt: (pointer: string) => string | undefined;
}

/** What readers choose above the blocks. */
export function ReportParameters({ draft, issueAt }: ReportParametersProps) {
  const { parameters } = draft.content.value;
  const set = (at: number, next: Parameter) => draft.set(withParameter(draft.content.peek(), at, next));
  return (
    <Section
      title="Parameters"
      actions={
        <Button
          isSmall
          icon="plus"
          onClick={() => draft.set({ parameters: [...parameters, { name: freeName(parameters), type: 'text' }] })}
        >
          Add a parameter
        </Button>
      }
    >
      {parameters.length === 0 && (
        <p class="hint">
          Readers choose their values, such as a region or a day. Choose what they change under “Change the chart”.
        </p>
      )}
      {parameters.map((parameter, at) => (
        <ParameterFields
          key={at}
          parameter={parameter}
          at={at}
          issueAt={(member) => issueAt(`/parameters/${at}/${member}`)}
          set={(next) => set(at, next)}
          remove={() => draft.set(withoutParameter(draft.content.peek(), at))}
        />
      ))}
    </Section>
  );
}

function freeName(parameters: readonly Parameter[]): string {
  let count = parameters.length + 1;
  while (parameters.some(({ name }) => name === `parameter_${count}`)) count += 1;
  return `parameter_${count}`;
}

interface ParameterFieldsProps {
  parameter: Parameter;
  at: number;
  issueAt: (member: string) => string | undefined;
  set: (next: Parameter) => void;
  remove: () => void;
}

function ParameterFields({ parameter, at, issueAt, set, remove }: ParameterFieldsProps) {
  const { name, label = '', type, isList = false, isRequired = false, default: usual } = parameter;
  /** Of another type, the default would not fit. */
  const { default: _usual, ...others } = parameter;
  return (
    <fieldset class="field-group report-parameter" aria-label={`Parameter ${at + 1}`}>
      <Field
        label="Name"
        required
        pattern="[A-Za-z][A-Za-z0-9_]{0,62}"
        hint="Letters, digits and underscores."
        issue={issueAt('name')}
        value={name}
        onInput={({ currentTarget }) => set({ ...parameter, name: currentTarget.value })}
      />
      <Field
        label="What readers see"
        maxLength={200}
        placeholder={name}
        issue={issueAt('label')}
        value={label}
        onInput={({ currentTarget }) => set({ ...parameter, label: currentTarget.value })}
      />
      <SelectField
        label="Type"
        value={type}
        onChange={({ currentTarget }) => set({ ...others, type: currentTarget.value as Parameter['type'] })}
      >
        {Object.entries(TYPES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      <Field
        label="Default"
        hint={
          isList ? 'Separate values with commas.' : type === 'boolean' ? 'true or false.' : 'Leave it empty for none.'
        }
        type={isList || type === 'text' || type === 'boolean' ? 'text' : type}
        step="any"
        issue={issueAt('default')}
        value={typedValue(usual)}
        onChange={({ currentTarget: { value } }) => {
          const next = valueOfText(parameter, value);
          if (typeof next !== 'number' || !Number.isNaN(next))
            set(value.trim() === '' ? others : { ...others, default: next });
        }}
      />
      <CheckField
        label="A list of values"
        checked={isList}
        onChange={({ currentTarget }) => set({ ...others, isList: currentTarget.checked })}
      />
      <CheckField
        label="Required to show the blocks that use it"
        checked={isRequired}
        onChange={({ currentTarget }) => set({ ...parameter, isRequired: currentTarget.checked })}
      />
      <IconButton icon="trash-2" label={`Remove the parameter ${label || name}`} onClick={remove} />
    </fieldset>
  );
}
