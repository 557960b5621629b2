import { useSignal } from '@preact/signals';
import { api, type Types } from '../../../data/client.ts';
import type { Role } from '../../../data/me.ts';
import { issueOf } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { CheckField, SelectField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { RoleField } from '../role-field.tsx';
import { TheirProvider, useProviderEdit } from './provider-edit.tsx';

const MAX_WORKSPACES = 100;

/** What happens when a person without an account signs in. */
export function NewPeople({ provider }: { provider: Types.IdentityProvider }) {
  const { jit } = provider;
  const isOn = useSignal(jit.enabled);
  const workspaceId = useSignal(jit.workspaceId ?? '');
  const role = useSignal(jit.role as Role);
  const workspaces = useQuery(['company', 'workspaces'], () =>
    api.company.listWorkspaces({ limit: MAX_WORKSPACES, sort: 'name' }),
  ).data?.items;
  const edit = useProviderEdit(provider, () => ({
    jit: { enabled: isOn.peek(), workspaceId: workspaceId.peek() || null, role: role.peek() },
  }));
  const { problem, theirs } = edit;
  return (
    <Section title="New people">
      <Form
        action="Save"
        look={undefined}
        submit={() => edit.run()}
        isBusy={edit.isRunning}
        problem={problem}
        instead={theirs && <TheirProvider edit={edit} />}
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
          </>
        )}
        {jit.groups.length > 0 && (
          <p class="hint">
            {jit.groups.length} groups of the provider set groups and roles here. The API changes this mapping.
          </p>
        )}
      </Form>
    </Section>
  );
}
