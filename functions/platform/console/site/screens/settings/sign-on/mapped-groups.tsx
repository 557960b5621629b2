import type { Signal } from '@preact/signals';
import { allOf, PAGE } from '../../../data/all.ts';
import { api, type Types } from '../../../data/client.ts';
import type { Role } from '../../../data/me.ts';
import { issueOfChoices } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, SelectField } from '../../../ui/field.tsx';
import { ROLES } from '../roles.ts';

type Mapping = Types.IdentityProvider['jit']['groups'][number];

/** A mapping as it is edited: empty texts stand for none. */
export interface GroupRow {
  providerGroup: string;
  groupId: string;
  role: string;
}

export const rowsOf = (groups: readonly Mapping[]): GroupRow[] =>
  groups.map(({ providerGroup, groupId, role }) => ({ providerGroup, groupId: groupId ?? '', role: role ?? '' }));

export const mappingOf = (
  rows: readonly GroupRow[],
): { providerGroup: string; groupId: string | null; role: Role | null }[] =>
  rows.map(({ providerGroup, groupId, role }) => ({
    providerGroup: providerGroup.trim(),
    groupId: groupId || null,
    role: (role || null) as Role | null,
  }));

interface MappedGroupsProps {
  value: Signal<readonly GroupRow[]>;
  /** Whether people join the workspace whose groups can be listed here. */
  isOfThisWorkspace: boolean;
  issues: readonly { pointer: string; message: string }[];
}

/** Which group and role people have here by their groups at the provider. */
export function MappedGroups({ value, isOfThisWorkspace, issues }: MappedGroupsProps) {
  const { data: groups, error } = useQuery(['groups', 'all'], () =>
    allOf(api.groups.list({ limit: PAGE, sort: 'name' })),
  );
  const rows = value.value;
  const set = (index: number, change: Partial<GroupRow>) => {
    value.value = rows.map((row, at) => (at === index ? { ...row, ...change } : row));
  };
  const issueAt = (index: number, member: string) =>
    issues.find(({ pointer }) => pointer === `/jit/groups/${index}/${member}`)?.message;
  const choices = isOfThisWorkspace ? (groups ?? []) : [];
  return (
    <div class="attributes">
      <p class="hint">
        At each sign-in, people join the groups that match their groups at the provider, and leave the other groups that
        are listed here. A new person gets the highest of the roles.
        {!isOfThisWorkspace && ' To choose groups, switch to that workspace.'}
      </p>
      {rows.map((row, index) => (
        <fieldset key={index} class="field-group mapping" aria-label={`Group ${index + 1}`}>
          <Field
            label="Group at the provider"
            required
            maxLength={500}
            issue={issueAt(index, 'providerGroup')}
            value={row.providerGroup}
            onInput={({ currentTarget }) => set(index, { providerGroup: currentTarget.value })}
          />
          <IconButton
            icon="x"
            label={`Remove group ${index + 1}`}
            onClick={() => {
              value.value = rows.filter((_row, at) => at !== index);
            }}
          />
          <SelectField
            label="Joins the group"
            issue={issueAt(index, 'groupId') ?? issueOfChoices(error)}
            value={row.groupId}
            onChange={({ currentTarget }) => set(index, { groupId: currentTarget.value })}
          >
            <option value="">none</option>
            {row.groupId && !choices.some(({ id }) => id === row.groupId) && (
              <option value={row.groupId}>a group that is not listed here</option>
            )}
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Role of new people"
            issue={issueAt(index, 'role')}
            value={row.role}
            onChange={({ currentTarget }) => set(index, { role: currentTarget.value })}
          >
            <option value="">the role above</option>
            {Object.keys(ROLES).map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
          </SelectField>
        </fieldset>
      ))}
      <Button
        isSmall
        icon="plus"
        onClick={() => {
          value.value = [...rows, { providerGroup: '', groupId: '', role: '' }];
        }}
      >
        Add a group
      </Button>
    </div>
  );
}
