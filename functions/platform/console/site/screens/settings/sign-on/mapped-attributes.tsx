import { useSignal } from '@preact/signals';
import type { Types } from '../../../data/client.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { otherIssues } from '../../../ui/schema-form.tsx';
import { TheirProvider, useProviderEdit } from './provider-edit.tsx';

type Mapping = Types.IdentityProvider['attributes'][number];

const write = (rows: readonly Mapping[]): string =>
  rows.map(({ claim, attribute }) => `${claim} → ${attribute}`).join(', ') || 'none';

/** What the provider says of people, as attributes that limit the rows they see. */
export function MappedAttributes({ provider }: { provider: Types.IdentityProvider }) {
  const rows = useSignal<readonly Mapping[]>(provider.attributes);
  const edit = useProviderEdit(provider, () => ({
    attributes: rows.peek().map(({ claim, attribute }) => ({ claim: claim.trim(), attribute: attribute.trim() })),
  }));
  const { problem, theirs } = edit;
  const issues = problem?.issues ?? [];
  const set = (index: number, change: Partial<Mapping>) => {
    rows.value = rows.peek().map((row, at) => (at === index ? { ...row, ...change } : row));
  };
  const issueAt = (index: number, member: keyof Mapping) =>
    issues.find(({ pointer }) => pointer === `/attributes/${index}/${member}`)?.message;
  return (
    <Section title="Attributes">
      <Form
        action="Save"
        submit={() => edit.run()}
        isBusy={edit.isRunning}
        problem={problem && { ...problem, issues: otherIssues(issues, ['/attributes']) }}
        instead={
          theirs && (
            <TheirProvider
              edit={edit}
              differences={differencesOf(
                theirs,
                { attributes: rows.value },
                { attributes: { label: 'Attributes', write } },
              )}
            />
          )
        }
      >
        <div class="attributes">
          <p class="hint">
            At each sign-in, these attributes replace those that admins have set for the person, in all workspaces.
            Models limit rows by them, such as by region.
          </p>
          {rows.value.map(({ claim, attribute }, index) => (
            <fieldset key={index} class="field-group mapping" aria-label={`Attribute ${index + 1}`}>
              <Field
                label={provider.type === 'oidc' ? 'Claim' : 'SAML attribute'}
                required
                maxLength={500}
                issue={issueAt(index, 'claim')}
                value={claim}
                onInput={({ currentTarget }) => set(index, { claim: currentTarget.value })}
              />
              <IconButton
                icon="x"
                label={`Remove attribute ${index + 1}`}
                onClick={() => {
                  rows.value = rows.peek().filter((_row, at) => at !== index);
                }}
              />
              <Field
                label="Becomes the attribute"
                required
                placeholder="region"
                issue={issueAt(index, 'attribute')}
                value={attribute}
                onInput={({ currentTarget }) => set(index, { attribute: currentTarget.value })}
              />
            </fieldset>
          ))}
          <Button
            isSmall
            icon="plus"
            onClick={() => {
              rows.value = [...rows.peek(), { claim: '', attribute: '' }];
            }}
          >
            Add an attribute
          </Button>
        </div>
      </Form>
    </Section>
  );
}
