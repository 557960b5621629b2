import { useSignal } from '@preact/signals';
import { allOf, PAGE } from '../../data/all.ts';
import { api, type Types } from '../../data/client.ts';
import { type Member, useMembers, useMembersIssue } from '../../data/members.ts';
import { type Table as ModelTable, useTables } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { ExpressionField } from './expression.tsx';
import { PartForm } from './part-form.tsx';
import { type EditPart, PartList, PartName } from './part-list.tsx';
import type { PartProps } from './part-props.ts';

type Policy = Types.RlsPolicy;
type Subject = Types.PolicySubject;

/** Who sees which rows; for admins. */
export function Policies(part: PartProps) {
  const { model } = part;
  const tables = useTables(model.id).data ?? [];
  const members = useMembers();
  const groups = useGroups();
  const { data, error, refresh } = useQuery(['models', model.id, 'policies'], () =>
    allOf(api.models.listRlsPolicies(model.id, { limit: PAGE })),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  const names = { members, groups };
  return (
    <>
      <PartList
        {...part}
        canEdit
        canAdd={tables.length > 0}
        label="Row policies"
        noun="policy"
        parts={data}
        keyOf={({ id }) => id}
        columnsOf={(edit) => columnsOf(tables, names, edit)}
        form={(policy, close) => (
          <PolicyForm modelId={model.id} tables={tables} policy={policy} names={names} close={close} />
        )}
        icon="shield-check"
        title="Everyone sees all rows"
      >
        A policy limits who sees which rows of a table, everywhere it is read. Tables without policies are open.
      </PartList>
      <SeeAs modelId={model.id} revision={JSON.stringify(data.map(({ id, revision }) => [id, revision]))} />
    </>
  );
}

interface Names {
  members: ReadonlyMap<string, Member> | undefined;
  groups: readonly Types.Group[] | undefined;
}

const useGroups = () => useQuery(['groups'], () => allOf(api.groups.list({ limit: PAGE }))).data;

function subjectText({ type, id }: Subject, { members, groups }: Names): string {
  if (type === 'everyone') return 'everyone';
  if (type === 'role') return `role ${id}`;
  if (type === 'user') return members?.get(id ?? '')?.name ?? 'a former member';
  if (type === 'group') return `group ${groups?.find((group) => group.id === id)?.name ?? 'that is deleted'}`;
  if (type === 'embed') return 'readers of embeds';
  if (type === 'share') return id === undefined ? 'readers of links' : 'readers of one link';
  return 'an API key';
}

const columnsOf = (tables: readonly ModelTable[], names: Names, edit: EditPart): readonly Column<Policy>[] => [
  {
    id: 'name',
    label: 'Policy',
    cell: ({ id, name, stale }) => (
      <span class="named">
        <PartName of={id} edit={edit}>
          {name}
        </PartName>
        {stale && <span class="issue">broken: shows no rows</span>}
      </span>
    ),
  },
  {
    id: 'table',
    label: 'Table',
    width: '140px',
    isMinor: true,
    cell: ({ tableId }) => tables.find(({ id }) => id === tableId)?.alias ?? '–',
  },
  {
    id: 'rows',
    label: 'Rows',
    isMinor: true,
    cell: ({ filterExpression }) => <code title={filterExpression}>{filterExpression}</code>,
  },
  {
    id: 'for',
    label: 'For',
    width: '30%',
    cell: ({ appliesTo }) => appliesTo.map((subject) => subjectText(subject, names)).join(', '),
  },
];

interface Draft {
  name: string;
  tableId: string;
  filterExpression: string;
  appliesTo: readonly Subject[];
}

const draftOf = ({ name, tableId, filterExpression, appliesTo }: Policy): Draft => ({
  name,
  tableId,
  filterExpression,
  appliesTo,
});

interface PolicyFormProps {
  modelId: string;
  tables: readonly ModelTable[];
  policy: Policy | undefined;
  names: Names;
  close: () => void;
}

function PolicyForm({ modelId, tables, policy, names, close }: PolicyFormProps) {
  const aliasOf = (id: string) => tables.find((table) => table.id === id)?.alias ?? id;
  const start: Draft = { name: '', tableId: tables[0]?.id ?? '', filterExpression: '', appliesTo: [] };
  const bodyOf = ({ appliesTo, ...others }: Draft) => ({ ...others, appliesTo: [...appliesTo] });
  return (
    <PartForm<Policy, Draft>
      modelId={modelId}
      noun="policy"
      name={policy?.name ?? ''}
      part={policy}
      draft={policy ? draftOf(policy) : start}
      draftOf={draftOf}
      labels={{
        name: 'Name',
        tableId: { label: 'Table', write: aliasOf },
        filterExpression: 'Rows',
        appliesTo: {
          label: 'For',
          write: (all: readonly Subject[]) => all.map((subject) => subjectText(subject, names)).join(', '),
        },
      }}
      read={() => api.models.getRlsPolicy(modelId, policy!.id)}
      save={(draft, options) =>
        policy
          ? api.models.updateRlsPolicy(modelId, policy.id, bodyOf(draft), options)
          : api.models.createRlsPolicy(modelId, bodyOf(draft))
      }
      remove={({ ifMatch }) => api.models.deleteRlsPolicy(modelId, policy!.id, { ifMatch })}
      loses="If it is the last policy of its table, everyone sees all rows of that table."
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <Field
            label="Name"
            required
            issue={issue('name')}
            value={draft.name}
            onInput={({ currentTarget: { value } }) => set({ name: value })}
          />
          <SelectField
            label="Table"
            value={draft.tableId}
            issue={issue('tableId')}
            onChange={({ currentTarget: { value } }) => set({ tableId: value })}
          >
            {tables.map(({ id, alias }) => (
              <option key={id} value={id}>
                {alias}
              </option>
            ))}
          </SelectField>
          <ExpressionField
            label="Rows that are shown"
            hint={'Such as [orders.region] IN user.attr("region"). It is checked when it is saved.'}
            issue={issue('filterExpression')}
            value={draft.filterExpression}
            onChange={(filterExpression) => set({ filterExpression })}
            stored={policy?.diagnostics ?? []}
          />
          <Subjects
            all={draft.appliesTo}
            names={names}
            issue={issue('appliesTo')}
            onChange={(appliesTo) => set({ appliesTo })}
          />
        </>
      )}
    </PartForm>
  );
}

const ROLES = ['viewer', 'editor', 'admin'];

interface SubjectsProps {
  all: readonly Subject[];
  names: Names;
  issue: string | undefined;
  onChange(all: readonly Subject[]): void;
}

/** Whom the policy is for. */
function Subjects({ all, names, issue, onChange }: SubjectsProps) {
  const unread = useMembersIssue();
  const keyOf = ({ type, id = '' }: Subject) => `${type} ${id}`;
  const offered: Subject[] = [
    { type: 'everyone' },
    ...ROLES.map((id) => ({ type: 'role' as const, id })),
    ...(names.groups ?? []).map(({ id }) => ({ type: 'group' as const, id })),
    ...[...(names.members?.keys() ?? [])].map((id) => ({ type: 'user' as const, id })),
    { type: 'share' },
    { type: 'embed' },
  ];
  const left = offered.filter((each) => !all.some((subject) => keyOf(subject) === keyOf(each)));
  return (
    <fieldset class="field-group">
      <legend>For</legend>
      {issue && <p class="issue">{issue}</p>}
      {all.length === 0 && <p class="hint">It applies to no one yet. Choose people or groups.</p>}
      <ul class="subjects">
        {all.map((subject) => (
          <li key={keyOf(subject)}>
            {subjectText(subject, names)}{' '}
            <Button
              isSmall
              look="plain"
              icon="x"
              aria-label={`Remove ${subjectText(subject, names)}`}
              onClick={() => onChange(all.filter((each) => each !== subject))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <SelectField
        label="Add"
        issue={unread}
        value=""
        onChange={({ currentTarget }) => {
          const chosen = left.find((each) => keyOf(each) === currentTarget.value);
          if (chosen) onChange([...all, chosen]);
        }}
      >
        <option value="">choose a role, group or person</option>
        {left.map((each) => (
          <option key={keyOf(each)} value={keyOf(each)}>
            {subjectText(each, names)}
          </option>
        ))}
      </SelectField>
    </fieldset>
  );
}

/** What a person sees of the protected tables. */
function SeeAs({ modelId, revision }: { modelId: string; revision: string }) {
  const members = useMembers();
  const unread = useMembersIssue();
  const person = useSignal('');
  const { data, error, isLoading, refresh } = useQuery(
    ['models', modelId, 'access', person.value, revision],
    () => api.models.previewAccess(modelId, { userId: person.value }),
    { enabled: person.value !== '' },
  );
  return (
    <Section title="See as">
      <SelectField
        label="Person"
        issue={unread}
        value={person.value}
        onChange={({ currentTarget }) => {
          person.value = currentTarget.value;
        }}
      >
        <option value="">choose a person</option>
        {members &&
          [...members.values()].map(({ userId, name, email, role }) => (
            <option key={userId} value={userId}>
              {name || email} ({role})
            </option>
          ))}
      </SelectField>
      {person.value !== '' && isLoading && <Loading rows={3} />}
      {person.value !== '' && !data && error !== null && <Failed problem={problemOf(error)} retry={refresh} />}
      {person.value !== '' && data && <Access preview={data} />}
    </Section>
  );
}

const SEES: Readonly<Record<string, string>> = { all: 'all rows', some: 'some rows', none: 'no rows' };

function Access({ preview: { role, groups, attributes, tables, deniedFieldIds } }: { preview: Types.AccessPreview }) {
  const known = Object.entries(attributes).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  return (
    <div class="access" aria-live="polite">
      <p class="hint">
        Role {role}
        {groups.length > 0 && ` · groups ${groups.join(', ')}`}
        {known.length > 0 && ` · ${known.join(' · ')}`}
      </p>
      {tables.length === 0 && <p>No table of this model is protected: all rows are visible.</p>}
      {tables.map(({ tableId, alias, rows, visibleRows, policies, condition, params, hiddenColumns }) => (
        <div key={tableId}>
          <h3>
            {alias}: {SEES[rows] ?? rows}
            {visibleRows !== null && rows !== 'all' && ` (${countOf(visibleRows)})`}
          </h3>
          <ul>
            {policies.map(({ policyId, name, applies, isUsable }) => (
              <li key={policyId}>
                {name}: {applies ? (isUsable ? 'applies' : 'applies, but shows no rows') : 'is not for this person'}
              </li>
            ))}
          </ul>
          {rows === 'some' && (
            <p>
              <code>{condition}</code>{' '}
              {params.length > 0 && (
                <span class="hint">
                  {params.map((value, index) => `$${index + 1} = ${[value].flat().join(', ')}`).join('; ')}
                </span>
              )}
            </p>
          )}
          {hiddenColumns.length > 0 && <p class="hint">Hidden columns: {hiddenColumns.join(', ')}</p>}
        </div>
      ))}
      {deniedFieldIds.length > 0 && (
        <p class="hint">{counted(deniedFieldIds.length, 'field')} of the model cannot be used.</p>
      )}
    </div>
  );
}
