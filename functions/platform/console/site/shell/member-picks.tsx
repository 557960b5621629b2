import { useState } from 'preact/hooks';
import { useMembers, useMembersIssue } from '../data/members.ts';
import { IconButton } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';

interface MemberPicksProps {
  /** What the people are chosen for. */
  label: string;
  hint?: string;
  issue?: string | undefined;
  userIds: readonly string[];
  change: (userIds: readonly string[]) => void;
}

/** Members of the workspace, one after another chosen by name or email. */
export function MemberPicks({ label, hint, issue, userIds, change }: MemberPicksProps) {
  const members = useMembers();
  const unread = useMembersIssue();
  const [text, type] = useState('');
  const found = [...(members?.values() ?? [])]
    .filter(({ userId }) => !userIds.includes(userId))
    .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ userId, name, email }) => ({ id: userId, label: name, hint: email }));
  return (
    <fieldset class="field-group">
      <legend>{label}</legend>
      {userIds.length > 0 && (
        <ul class="list member-picks">
          {userIds.map((userId) => {
            const member = members?.get(userId);
            const name = member?.name ?? (members ? 'A former member' : '…');
            return (
              <li key={userId}>
                <span>
                  {name} <span class="hint">{member?.email}</span>
                </span>
                <IconButton
                  icon="x"
                  label={`Remove ${name}`}
                  onClick={() => change(userIds.filter((each) => each !== userId))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <Combobox
        label="Add a person"
        {...(hint !== undefined && { hint })}
        issue={issue ?? unread}
        text={text}
        type={type}
        options={found}
        choose={({ id }) => {
          change([...userIds, id]);
          type('');
        }}
      />
    </fieldset>
  );
}
