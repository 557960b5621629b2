import { useMembers, useMembersIssue } from '../data/members.ts';
import { CheckField, SelectField } from '../ui/field.tsx';

interface OwnerFieldProps {
  hint?: string;
  issue?: string | undefined;
  /** Empty for the person who makes the object. */
  value: string;
  choose(userId: string): void;
}

/** The member who is responsible for an object. */
export function OwnerField({ hint, issue, value, choose }: OwnerFieldProps) {
  const members = useMembers();
  const unread = useMembersIssue();
  return (
    <SelectField
      label="Owner"
      {...(hint !== undefined && { hint })}
      issue={issue ?? unread}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {value === '' && <option value="">you</option>}
      {value !== '' && !members?.has(value) && <option value={value}>{members ? 'a former member' : '…'}</option>}
      {[...(members?.values() ?? [])].map(({ userId, name, email }) => (
        <option key={userId} value={userId}>
          {name || email}
        </option>
      ))}
    </SelectField>
  );
}

interface MemberChecksProps {
  legend: string;
  userIds: readonly string[];
  change(userIds: string[]): void;
  /** Who cannot be chosen. */
  without?: string;
}

/** Members of the workspace, each with a box to choose them by. */
export function MemberChecks({ legend, userIds, change, without }: MemberChecksProps) {
  const members = useMembers();
  const unread = useMembersIssue();
  return (
    <fieldset class="field-group choices">
      <legend>{legend}</legend>
      {unread !== undefined && <p class="issue">{unread}</p>}
      {[...(members?.values() ?? [])]
        .filter(({ userId }) => userId !== without)
        .map(({ userId, name, email }) => (
          <CheckField
            key={userId}
            label={name ? `${name} (${email})` : email}
            checked={userIds.includes(userId)}
            onChange={({ currentTarget: { checked } }) => {
              const others = userIds.filter((id) => id !== userId);
              change(checked ? [...others, userId] : others);
            }}
          />
        ))}
    </fieldset>
  );
}
