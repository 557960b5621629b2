import type { Signal } from '@preact/signals';
import type { Role } from '../../data/me.ts';
import { bound } from '../../ui/bound.ts';
import { SelectField } from '../../ui/field.tsx';
import { ROLES } from './roles.ts';

interface RoleFieldProps {
  value: Signal<Role>;
  issue?: string | undefined;
}

export const RoleField = ({ value, issue }: RoleFieldProps) => (
  <SelectField label="Role" issue={issue} {...bound(value as Signal<string>)}>
    {Object.entries(ROLES).map(([role, label]) => (
      <option key={role} value={role}>
        {label}
      </option>
    ))}
  </SelectField>
);
