import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { issueOfChoices } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import type { Grant, Grants } from '../../data/sharing.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox, type Option } from '../../ui/combobox.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Empty, Issue } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { ListTable } from '../list-table.tsx';

interface PeopleProps {
  /** Where the list is kept. */
  listKey: readonly unknown[];
  grants: Grants;
  /** Who sees the object without a grant, in a sentence. */
  children: string;
}

type Level = 'viewer' | 'editor';
const LEVELS: Readonly<Record<Level, string>> = { viewer: 'can view', editor: 'can edit' };

/** People and groups who may see or edit an object. */
export function People({ listKey, grants, children }: PeopleProps) {
  const list = useList<Grant>([...listKey], (place) => grants.list(place));
  const change = useAction(
    async (_of: string, work: () => PromiseLike<unknown>) => {
      await work();
      await refreshQueries(listKey);
    },
    { isShared: true },
  );
  return (
    <div class="sharing-part">
      <p>{children}</p>
      <AddPerson grants={grants} run={change.run} isBusy={change.isRunning} />
      <Issue problem={change.problem} />
      <ListTable
        label="People and groups"
        columns={columnsOf(grants, (of, work) => void change.run(of, work))}
        list={list}
        bars={4}
        keyOf={({ key }) => key}
      >
        <Empty icon="users" title="No one has been given access yet">
          Search for a member or a group above.
        </Empty>
      </ListTable>
    </div>
  );
}

const columnsOf = (
  grants: Grants,
  run: (of: string, work: () => PromiseLike<unknown>) => void,
): readonly Column<Grant>[] => [
  {
    id: 'name',
    label: 'Name',
    cell: ({ name, email, granteeType }) => (
      <>
        {name || email} <span class="hint">{granteeType === 'group' ? 'group' : name ? email : ''}</span>
      </>
    ),
  },
  {
    id: 'level',
    label: 'Access',
    width: '150px',
    cell: ({ key, name, granteeType, granteeId, level }) => (
      <select
        aria-label={`Access of ${name}`}
        value={level}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as Level;
          run(`${next} ${key}`, () => grants.set(granteeType, granteeId, next));
        }}
      >
        {Object.entries(LEVELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    ),
  },
  {
    id: 'remove',
    label: 'Remove',
    width: '110px',
    cell: (grant) => (
      <Button
        isSmall
        aria-label={`Remove ${grant.name}`}
        onClick={() => run(`remove ${grant.key}`, () => grants.revoke(grant))}
      >
        Remove
      </Button>
    ),
  },
];

interface AddPersonProps {
  grants: Grants;
  run(of: string, work: () => PromiseLike<unknown>): Promise<boolean>;
  isBusy: boolean;
}

const MAX_FOUND = 8;

function AddPerson({ grants, run, isBusy }: AddPersonProps) {
  const [text, setText] = useState('');
  const [chosen, choose] = useState<Option | undefined>(undefined);
  const [level, setLevel] = useState<Level>('viewer');
  const { data: options = [], error } = useQuery(['people', text], () => find(text), {
    enabled: text.trim() !== '' && !chosen,
    keepsLast: true,
  });
  return (
    <form
      class="add-person"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!chosen) return;
        const [type = '', id = ''] = chosen.id.split(':');
        if (!(await run(`add ${chosen.id}`, () => grants.set(type as 'user', id, level)))) return;
        choose(undefined);
        setText('');
      }}
    >
      <Combobox
        label="Member or group"
        issue={issueOfChoices(error)}
        text={text}
        type={(next) => {
          choose(undefined);
          setText(next);
        }}
        options={chosen || text.trim() === '' ? [] : options}
        choose={(option) => {
          choose(option);
          setText(option.label);
        }}
      />
      <SelectField
        label="Access"
        value={level}
        onChange={({ currentTarget }) => setLevel(currentTarget.value as Level)}
      >
        {Object.entries(LEVELS).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button type="submit" look="main" isBusy={isBusy} disabled={!chosen}>
        Share
      </Button>
    </form>
  );
}

async function find(text: string): Promise<Option[]> {
  const search = text.trim();
  const [members, groups] = await Promise.all([
    api.workspaces.listMembers({ search, limit: MAX_FOUND, sort: 'name' }),
    api.groups.list({ limit: 100, sort: 'name' }),
  ]);
  const found = groups.items.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return [
    ...members.items.map(({ userId, name, email }) => ({ id: `user:${userId}`, label: name || email, hint: email })),
    ...found.slice(0, MAX_FOUND).map(({ id, name }) => ({ id: `group:${id}`, label: name, hint: 'group' })),
  ];
}
