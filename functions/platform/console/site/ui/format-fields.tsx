import { Field, SelectField } from './field.tsx';

interface FormatDraft {
  /** Empty for that of what the number comes from. */
  format: string;
  decimals: string;
  currency: string;
}

interface FormatFieldsProps {
  draft: FormatDraft;
  set(change: Partial<FormatDraft>): void;
  /** What having no format of its own means. */
  none: string;
}

const FORMATS: readonly string[] = ['number', 'currency', 'percent'];

/** How a number is shown. */
export const FormatFields = ({ draft: { format, decimals, currency }, set, none }: FormatFieldsProps) => (
  <>
    <SelectField label="Shown as" value={format} onChange={({ currentTarget: { value } }) => set({ format: value })}>
      <option value="">{none}</option>
      {[...new Set([...FORMATS, format])].filter(Boolean).map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </SelectField>
    {format === 'currency' && (
      <Field
        label="Currency"
        placeholder="EUR"
        required
        maxLength={3}
        value={currency}
        onInput={({ currentTarget: { value } }) => set({ currency: value.toUpperCase() })}
      />
    )}
    {format !== '' && (
      <Field
        label="Decimals"
        type="number"
        min={0}
        max={10}
        value={decimals}
        onInput={({ currentTarget: { value } }) => set({ decimals: value })}
      />
    )}
  </>
);
