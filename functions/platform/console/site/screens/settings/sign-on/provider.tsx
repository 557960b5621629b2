import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { DeleteSection } from '../../../shell/delete-record.tsx';
import { to } from '../../../ui/address.ts';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { CheckField, Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { otherIssues } from '../../../ui/schema-form.tsx';
import { Failed, Issue, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Connection, useConnection } from './connection.tsx';
import { Domains } from './domains.tsx';
import { MappedAttributes } from './mapped-attributes.tsx';
import { NewPeople } from './new-people.tsx';
import { TheirProvider, useProviderEdit } from './provider-edit.tsx';

export function ProviderPage({ id }: { id: string }) {
  const { route } = useLocation();
  const { data: provider, error, refresh } = useQuery(['providers', id], () => api.identityProviders.get(id));
  if (!provider) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  return (
    <>
      <Section title={provider.name} actions={<Link to="/settings/sign-on">All providers</Link>}>
        <dl class="rights">
          <dt>{provider.type === 'oidc' ? 'Redirect URI' : 'ACS URL'}</dt>
          <dd>
            <code>{provider.callbackUrl}</code>
          </dd>
          {provider.audience !== null && (
            <>
              <dt>Entity ID</dt>
              <dd>
                <code>{provider.audience}</code>
              </dd>
            </>
          )}
        </dl>
        <div class="actions">
          <CopyButton text={provider.callbackUrl}>Copy for the provider</CopyButton>
          <Test id={id} />
        </div>
        <ProviderForm key={provider.revision} provider={provider} />
      </Section>
      <Domains key={`domains ${provider.revision}`} provider={provider} />
      <NewPeople key={`people ${provider.revision}`} provider={provider} />
      <MappedAttributes key={`attributes ${provider.revision}`} provider={provider} />
      <DeleteSection
        noun="provider"
        what={`“${provider.name}”`}
        typed={provider.name}
        remove={async () => {
          await api.identityProviders.delete(id, { ifMatch: provider.revision });
          await refreshQueries(['providers']);
          route(to('/settings/sign-on'));
        }}
      >
        People can no longer sign in with it. Accounts and memberships stay.
      </DeleteSection>
    </>
  );
}

function Test({ id }: { id: string }) {
  const test = useAction(async () => {
    const { ok, issues } = await api.identityProviders.test(id);
    if (!ok) throw new Error(issues.map(({ message }) => message).join(' '));
    toast('The provider can be reached, and its settings work.');
  });
  return (
    <>
      <Button icon="check" isBusy={test.isRunning} onClick={() => void test.run()}>
        Test the connection
      </Button>
      <Issue problem={test.problem} />
    </>
  );
}

function ProviderForm({ provider }: { provider: Types.IdentityProvider }) {
  const { type } = provider;
  const name = useSignal(provider.name);
  const enabled = useSignal(provider.enabled);
  const connection = useConnection(provider);
  const edit = useProviderEdit(provider, () => ({
    name: name.peek().trim(),
    enabled: enabled.peek(),
    ...(type === 'oidc' ||
    connection.metadata.peek() ||
    connection.metadataUrl.peek() !== (provider.saml?.metadataUrl ?? '')
      ? connection.body(type)
      : {}),
  }));
  const { theirs, problem } = edit;
  const issues = problem?.issues ?? [];
  return (
    <Form
      action="Save"
      submit={() => edit.run()}
      isBusy={edit.isRunning}
      problem={problem && { ...problem, issues: otherIssues(issues, ['/oidc', '/saml', '/name']) }}
      instead={theirs && <TheirProvider edit={edit} />}
    >
      <Field label="Name" required maxLength={100} issue={issueOf(problem, 'name')} {...bound(name)} />
      <Connection draft={connection} type={type} issues={issues} />
      <CheckField
        label="People may sign in with it"
        checked={enabled.value}
        onChange={({ currentTarget }) => {
          enabled.value = currentTarget.checked;
        }}
      />
    </Form>
  );
}
