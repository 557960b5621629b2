import type { TypedAttribute } from '../../data/sharing.ts';
import { Button, IconButton } from '../../ui/button.tsx';

interface AttributeFieldsProps {
  value: readonly TypedAttribute[];
  set: (value: TypedAttribute[]) => void;
}

/** What policies of rows know of a reader: names, and values with commas between them. */
export function AttributeFields({ value, set }: AttributeFieldsProps) {
  const change = (at: number, part: Partial<TypedAttribute>) =>
    set(value.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <fieldset class="attributes">
      <legend>Attributes of the reader</legend>
      <p class="hint">Policies of models compare them, such as region with North, South.</p>
      {value.map(({ name, values }, at) => (
        <div class="attribute" key={at}>
          <input
            aria-label={`Attribute ${at + 1}`}
            placeholder="region"
            autocomplete="off"
            maxLength={100}
            value={name}
            onInput={({ currentTarget }) => change(at, { name: currentTarget.value })}
          />
          <input
            aria-label={`Values of attribute ${at + 1}`}
            placeholder="North, South"
            autocomplete="off"
            value={values}
            onInput={({ currentTarget }) => change(at, { values: currentTarget.value })}
          />
          {value.length > 1 && (
            <IconButton
              icon="x"
              label={`Remove attribute ${at + 1}`}
              onClick={() => set(value.filter((_each, index) => index !== at))}
            />
          )}
        </div>
      ))}
      <Button isSmall look="plain" icon="plus" onClick={() => set([...value, { name: '', values: '' }])}>
        Another attribute
      </Button>
    </fieldset>
  );
}
