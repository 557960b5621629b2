import { useState } from 'preact/hooks';
import { issueOfChoices } from '../data/problem.ts';
import { useQuery } from '../data/query.ts';
import { Combobox, type Option } from '../ui/combobox.tsx';

interface PickerProps {
  label: string;
  hint?: string;
  issue?: string | undefined;
  /** The name of what is chosen. */
  name: string;
  /** What the choices are kept under. */
  of: string;
  search: (text: string) => Promise<readonly Option[]>;
  choose: (option: Option) => void;
  /** Empties the field after each choice, as for a list. */
  isList?: boolean;
}

/** A field that finds objects by their names. */
export function Picker({ label, hint, issue, name, of, search, choose, isList }: PickerProps) {
  const [typed, type] = useState<string | undefined>(undefined);
  const text = typed ?? name;
  const asked = typed === undefined ? '' : typed.trim();
  const { data: options = [], error } = useQuery(['choices', of, asked], () => search(asked), { keepsLast: true });
  return (
    <Combobox
      label={label}
      {...(hint !== undefined && { hint })}
      issue={issue ?? issueOfChoices(error)}
      text={text}
      type={type}
      options={options}
      choose={(option) => {
        type(isList ? '' : undefined);
        choose(option);
      }}
    />
  );
}
