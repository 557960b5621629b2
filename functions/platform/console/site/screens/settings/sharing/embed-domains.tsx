import { useSignal } from '@preact/signals';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../../ui/states.tsx';

const KEY = ['embed-domains'];

/** The web sites that may show dashboards of the workspace in a frame. */
export function EmbedDomains() {
  const list = useList<Types.EmbedDomain>(KEY, (place) => api.embedding.listDomains(place));
  const origin = useSignal('');
  const add = useAction(async () => {
    await api.embedding.createDomain({ origin: origin.peek().trim() });
    origin.value = '';
    await refreshQueries(KEY);
  });
  const remove = useAction(async (id: string) => {
    await api.embedding.deleteDomain(id);
    await refreshQueries(KEY);
  });
  const { items, error } = list;
  const issue = issueOf(add.problem, 'origin');
  return (
    <Section title="Sites that may embed">
      {!items && (error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={2} />)}
      {items?.length === 0 && <p class="hint">No site may show dashboards, reports or stories in a frame yet.</p>}
      <ul class="rows">
        {items?.map(({ id, origin: allowed }) => (
          <li key={id}>
            <code>{allowed}</code>
            <IconButton icon="trash-2" label={`Remove ${allowed}`} onClick={() => void remove.run(id)} />
          </li>
        ))}
      </ul>
      <Issue problem={remove.problem} />
      <Form action="Allow" submit={() => add.run()} isBusy={add.isRunning} problem={issue ? undefined : add.problem}>
        <Field
          label="Origin"
          required
          placeholder="https://app.example.com"
          hint="https://*.example.com allows all subdomains."
          issue={issue}
          {...bound(origin)}
        />
      </Form>
    </Section>
  );
}
