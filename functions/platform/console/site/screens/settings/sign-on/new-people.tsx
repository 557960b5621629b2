import { useSignal } from '@preact/signals';
import { allOf, PAGE } from '../../../data/all.ts';
import { api, type Types } from '../../../data/client.ts';
import { type Role, useMe } from '../../../data/me.ts';
import { issueOf } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { differencesOf } from '../../../ui/differences.ts';
import { CheckField, Field, SelectField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { otherIssues } from '../../../ui/schema-form.tsx';
import { RoleField } from '../role-field.tsx';
import { type GroupRow, MappedGroups, mappingOf, rowsOf } from './mapped-groups.tsx';
import { TheirProvider, useProviderEdit } from './provider-edit.tsx';

const LABELS = {
  enabled: 'New people get an account',
  role: 'Role',
  groups: {
    label: 'Groups',
    write: (all: readonly { providerGroup: string }[]) =>
      all.map(({ providerGroup }) => providerGroup).join(', ') || 'none',
  },
} as const;

/** What happens when a person without an account signs in, and which groups follow the provider. */
export function NewPeople({ provider }: { provider: Types.IdentityProvider }) {
  const { jit, type, oidc, saml } = provider;
  const me = useMe().data!;
  const isOn = useSignal(jit.enabled);
  const workspaceId = useSignal(jit.workspaceId ?? '');
  const role = useSignal(jit.role as Role);
  const groups = useSignal<readonly GroupRow[]>(rowsOf(jit.groups));
  const claim = useSignal(oidc?.groupsClaim ?? saml?.groupsAttribute ?? '');
  const workspaces = useQuery(['company', 'workspaces', 'all'], () =>
    allOf(api.company.listWorkspaces({ limit: PAGE, sort: 'name' })),
  ).data;
  const mine = () => ({
    enabled: isOn.value,
    workspaceId: workspaceId.value || null,
    role: role.value,
    groups: mappingOf(groups.value),
  });
  const edit = useProviderEdit(provider, () => {
    const named = claim.peek().trim() || null;
    return {
      jit: mine(),
      ...(type === 'oidc' ? { oidc: { groupsClaim: named } } : { saml: { groupsAttribute: named } }),
    };
  });
  const { problem, theirs } = edit;
  const issues = problem?.issues ?? [];
  return (
    <Section title="New people and their groups">
      <Form
        action="Save"
        submit={() => edit.run()}
        isBusy={edit.isRunning}
        problem={
          problem && { ...problem, issues: isOn.value ? otherIssues(issues, ['/jit', '/oidc', '/saml']) : issues }
        }
        instead={theirs && <TheirProvider edit={edit} differences={differencesOf(theirs.jit, mine(), LABELS)} />}
      >
        <CheckField
          label="People without an account get one when they sign in"
          checked={isOn.value}
          onChange={({ currentTarget }) => {
            isOn.value = currentTarget.checked;
          }}
        />
        {isOn.value && (
          <>
            <SelectField label="Workspace" issue={issueOf(problem, 'jit/workspaceId')} {...bound(workspaceId)}>
              <option value="">choose one</option>
              {workspaces?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <RoleField value={role} />
            <Field
              label={type === 'oidc' ? 'Claim with the groups' : 'Attribute with the groups'}
              placeholder="groups"
              maxLength={500}
              hint="Leave it empty to ignore the groups of the provider."
              issue={issueOf(problem, type === 'oidc' ? 'oidc/groupsClaim' : 'saml/groupsAttribute')}
              {...bound(claim)}
            />
            <MappedGroups value={groups} isOfThisWorkspace={workspaceId.value === me.workspaceId} issues={issues} />
          </>
        )}
      </Form>
    </Section>
  );
}
