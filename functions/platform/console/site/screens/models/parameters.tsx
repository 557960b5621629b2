import { useState } from 'preact/hooks';
import { api, type Types } from '../../data/client.ts';
import type { Model } from '../../data/models.ts';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import type { Column } from '../../ui/table.tsx';
import { typedValue } from '../../ui/values-field.tsx';
import { type Part, PartForm } from './part-form.tsx';
import { type EditPart, PartList, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';
import { updateMember } from './update-member.ts';

type Parameter = Types.ModelParameter;
type DataType = Parameter['dataType'];
/** A parameter has no revision of its own, but that of the list, which belongs to the model. */
type Versioned = Parameter & Part;

const MAX_PARAMETERS = 50;
const TYPES: Readonly<Record<DataType, string>> = {
  string: 'text',
  integer: 'whole number',
  decimal: 'decimal number',
  date: 'date',
  boolean: 'true or false',
};

/** Constants of expressions whose values questions choose. */
export function Parameters(part: PartProps) {
  const { model } = part;
  const { parameters } = model;
  return (
    <PartList
      {...part}
      label="Parameters"
      noun="parameter"
      parts={parameters}
      keyOf={({ name }) => name}
      newKey={NEW_PART}
      canAdd={parameters.length < MAX_PARAMETERS}
      columnsOf={columnsOf}
      form={(parameter, close) => <ParameterForm model={model} parameter={parameter} close={close} />}
      icon="list"
      title="There are no parameters yet"
    >
      A parameter is a value in expressions, such as {'{currency}'}, that questions and dashboards can choose.
    </PartList>
  );
}

/** Names of parameters have no spaces. */
const NEW_PART = 'new parameter';

const columnsOf = (edit: EditPart): readonly Column<Parameter>[] => [
  {
    id: 'name',
    label: 'Parameter',
    width: '26%',
    cell: ({ name }) => (
      <PartName of={name} edit={edit}>
        {name}
      </PartName>
    ),
  },
  { id: 'type', label: 'Type', width: '140px', isMinor: true, cell: ({ dataType }) => TYPES[dataType] },
  {
    id: 'default',
    label: 'Default',
    width: '22%',
    cell: ({ default: value }) => <span title={String(value)}>{String(value)}</span>,
  },
  {
    id: 'choices',
    label: 'Choices',
    isMinor: true,
    cell: ({ allowedValues }) =>
      allowedValues ? <span title={allowedValues.join(', ')}>{allowedValues.join(', ')}</span> : 'any value',
  },
];

interface Draft {
  name: string;
  dataType: DataType;
  default: string;
  /** One a line. */
  allowedValues: string;
  description: string;
}

const NEW: Draft = { name: '', dataType: 'string', default: '', allowedValues: '', description: '' };

const draftOf = ({ name, dataType, default: value, allowedValues = [], description = '' }: Parameter): Draft => ({
  name,
  dataType,
  default: String(value),
  allowedValues: allowedValues.join('\n'),
  description,
});

/** Values that are none of the type are sent as they are, so that the API says so at their field. */
function parameterOf({ name, dataType, default: value, allowedValues, description }: Draft): Parameter {
  const allowed = allowedValues.split('\n').filter((line) => line.trim() !== '');
  return {
    name: name.trim(),
    dataType,
    default: typedValue(value, dataType),
    ...(allowed.length > 0 && { allowedValues: allowed.map((each) => typedValue(each, dataType)) }),
    ...(description.trim() !== '' && { description: description.trim() }),
  };
}

const LABELS = {
  name: 'Name',
  dataType: { label: 'Type', write: (type: DataType) => TYPES[type] },
  default: 'Default',
  allowedValues: 'Choices',
  description: 'Description',
};

interface ParameterFormProps {
  model: Model;
  parameter: Parameter | undefined;
  close: () => void;
}

function ParameterForm({ model, parameter, close }: ParameterFormProps) {
  const { id, parameters } = model;
  const index = parameter ? parameters.findIndex(({ name }) => name === parameter.name) : parameters.length;
  const versioned = (given: Parameter, { revision }: Model | Types.Model): Versioned => ({
    ...given,
    id: given.name,
    revision,
  });
  // What the form began with, however the model is refreshed below it.
  const [was] = useState(parameter);
  const findIn = (now: Model) => now.parameters.find(({ name }) => name === was?.name);
  /** The list as it is now, with another one in the place of this. */
  const replace = (next: Parameter | undefined, ifMatch: number | undefined) =>
    updateMember(id, {
      ifMatch,
      partOf: findIn,
      was,
      bodyOf: (now) => ({
        parameters: was
          ? now.parameters.flatMap((each) => (each.name === was.name ? (next ? [next] : []) : [each]))
          : [...now.parameters, next!],
      }),
    });
  return (
    <PartForm<Versioned, Draft>
      modelId={id}
      noun="parameter"
      name={parameter?.name ?? ''}
      part={parameter && versioned(parameter, model)}
      draft={parameter ? draftOf(parameter) : NEW}
      draftOf={draftOf}
      labels={LABELS}
      read={async () => {
        const now = await api.models.get(id);
        const found = findIn(now);
        if (!found) throw new Error('Another person has deleted the parameter, or given it another name.');
        return versioned(found, now);
      }}
      save={async (draft, { ifMatch }) => {
        const next = parameterOf(draft);
        return versioned(next, await replace(next, ifMatch));
      }}
      remove={({ ifMatch }) => replace(undefined, ifMatch)}
      loses="Measures that use it no longer work. Versions do not include parameters, so this cannot be undone."
      close={close}
    >
      {({ draft, set, issue }) => {
        const at = `parameters/${index}`;
        const choices = draft.allowedValues.split('\n').filter((line) => line.trim() !== '');
        const issueOfChoice = choices.map((_each, number) => issue(`${at}/allowedValues/${number}`)).find(Boolean);
        return (
          <>
            <Field
              label="Name"
              hint={`In expressions, write it in braces: {${draft.name.trim() || 'currency'}}.`}
              required
              maxLength={63}
              pattern="[A-Za-z_][A-Za-z0-9_]*"
              title="Letters, digits and underscores"
              spellcheck={false}
              issue={issue(`${at}/name`)}
              value={draft.name}
              onInput={({ currentTarget: { value } }) => set({ name: value })}
            />
            <SelectField
              label="Type"
              issue={issue(`${at}/dataType`)}
              value={draft.dataType}
              onChange={({ currentTarget: { value } }) =>
                set({ dataType: value as DataType, default: value === 'boolean' ? 'false' : draft.default })
              }
            >
              {Object.entries(TYPES).map(([type, label]) => (
                <option key={type} value={type}>
                  {label}
                </option>
              ))}
            </SelectField>
            <Default draft={draft} issue={issue(`${at}/default`)} set={(value) => set({ default: value })} />
            <TextField
              label="Choices"
              rows={3}
              hint={`One per line${draft.dataType === 'date' ? ', such as 2026-01-31' : ''}. Leave it empty to allow any value.`}
              issue={issue(`${at}/allowedValues`) ?? issueOfChoice}
              value={draft.allowedValues}
              onInput={({ currentTarget: { value } }) => set({ allowedValues: value })}
            />
            <TextField
              label="Description"
              rows={2}
              maxLength={2000}
              issue={issue(`${at}/description`)}
              value={draft.description}
              onInput={({ currentTarget: { value } }) => set({ description: value })}
            />
          </>
        );
      }}
    </PartForm>
  );
}

const INPUTS = {
  string: 'text',
  integer: 'number',
  decimal: 'number',
  date: 'date',
  boolean: 'text',
} as const satisfies Record<DataType, string>;

/** The value for questions that choose none. */
const Default = ({ draft, issue, set }: { draft: Draft; issue: string | undefined; set: (value: string) => void }) =>
  draft.dataType === 'boolean' ? (
    <SelectField
      label="Default"
      issue={issue}
      value={draft.default}
      onChange={({ currentTarget: { value } }) => set(value)}
    >
      <option value="true">true</option>
      <option value="false">false</option>
    </SelectField>
  ) : (
    <Field
      label="Default"
      type={INPUTS[draft.dataType]}
      step={draft.dataType === 'decimal' ? 'any' : undefined}
      required={draft.dataType !== 'string'}
      issue={issue}
      value={draft.default}
      onInput={({ currentTarget: { value } }) => set(value)}
    />
  );
