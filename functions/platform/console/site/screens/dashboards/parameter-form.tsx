import { parsed } from '../../data/boards.ts';
import { type Chosen, type Parameter, typedValue, valueOfText } from '../../data/reports.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';

/** What the address has chosen, as far as the report has the parameters. */
export function chosenOf(text: string | undefined, parameters: readonly Parameter[]): Chosen {
  const given = parsed(text ?? null);
  if (typeof given !== 'object' || given === null) return {};
  const names = new Set(parameters.map(({ name }) => name));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)));
}

interface ParameterFormProps {
  parameters: readonly Parameter[];
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

/** The values that a reader chooses. They are kept in the address. */
export function ParameterForm({ parameters, chosen, choose }: ParameterFormProps) {
  const set = (next: Chosen) => {
    const address = new URL(location.href);
    if (Object.keys(next).length === 0) address.searchParams.delete('parameters');
    else address.searchParams.set('parameters', JSON.stringify(next));
    history.replaceState(null, '', address);
    choose(next);
  };
  return (
    <form class="report-parameters" aria-label="Parameters" onSubmit={(event) => event.preventDefault()}>
      {parameters.map((parameter) => {
        const { name, label, type, isList, isRequired, default: usual } = parameter;
        const value = typedValue(name in chosen ? chosen[name] : (usual as Chosen[string]));
        const title = `${label || name}${isRequired ? ' (required)' : ''}`;
        const change = (text: string) => {
          const next = valueOfText(parameter, text);
          if (typeof next === 'number' && Number.isNaN(next)) return;
          set({ ...chosen, [name]: next });
        };
        if (type === 'boolean' && !isList) {
          return (
            <SelectField
              key={name}
              label={title}
              value={value}
              onChange={({ currentTarget }) => change(currentTarget.value)}
            >
              <option value="">All</option>
              <option value="true">Yes</option>
              <option value="false">No</option>
            </SelectField>
          );
        }
        return (
          <Field
            key={name}
            label={title}
            type={isList || type === 'text' ? 'text' : type === 'date' ? 'date' : 'number'}
            step="any"
            autocomplete="off"
            {...(isList && { hint: 'Values with commas between them' })}
            value={value}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        );
      })}
      {Object.keys(chosen).length > 0 && (
        <Button look="plain" onClick={() => set({})}>
          Reset
        </Button>
      )}
    </form>
  );
}
