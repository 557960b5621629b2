import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api } from '../../../data/client.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { to } from '../../../ui/address.ts';
import { bound } from '../../../ui/bound.ts';
import { Field, SelectField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { otherIssues } from '../../../ui/schema-form.tsx';
import { Connection, useConnection } from './connection.tsx';
import { TYPES } from './providers.tsx';

/** A provider begins turned off: first its domains are proven and its connection is tested. */
export function NewProvider() {
  const { route } = useLocation();
  const name = useSignal('');
  const slug = useSignal('');
  const type = useSignal('oidc');
  const connection = useConnection();
  const create = useAction(async () => {
    const made = await api.identityProviders.create({
      name: name.peek().trim(),
      slug: slug.peek().trim() || slugOf(name.peek()),
      type: type.peek() as 'oidc' | 'saml',
      ...connection.body(type.peek()),
      enabled: false,
    });
    await refreshQueries(['providers']);
    route(to(`/settings/sign-on/${made.id}`));
  });
  const { problem } = create;
  const issues = problem?.issues ?? [];
  return (
    <Section title="Add an identity provider" actions={<Link to="/settings/sign-on">All providers</Link>}>
      <Form
        action="Add"
        submit={() => create.run()}
        isBusy={create.isRunning}
        problem={problem && { ...problem, issues: otherIssues(issues, ['/oidc', '/saml', '/name', '/slug']) }}
      >
        <Field
          label="Name"
          required
          maxLength={100}
          placeholder="Company account"
          hint="What the button of the sign-in says."
          issue={issueOf(problem, 'name')}
          {...bound(name)}
        />
        <Field
          label="Short name"
          placeholder={slugOf(name.value) || 'company'}
          hint="Part of its addresses. It cannot be changed later."
          issue={issueOf(problem, 'slug')}
          {...bound(slug)}
        />
        <SelectField label="Type" {...bound(type)}>
          {Object.entries(TYPES).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
        <Connection draft={connection} type={type.value} issues={issues} />
      </Form>
    </Section>
  );
}

const slugOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
