import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { allOf, PAGE } from '../../data/all.ts';
import { api } from '../../data/client.ts';
import { issueOf, issueOfChoices } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField, TextField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';

const QUERIED: readonly string[] = ['postgres', 'mysql'];

/** A model without tables, which are chosen next. */
export default function NewModel() {
  const { route } = useLocation();
  const draft = useSignal({ name: '', description: '', sourceId: 'datasets' });
  const set = (change: Partial<(typeof draft)['value']>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const sources = useQuery(['sources', 'choices'], () => allOf(api.dataSources.list({ limit: PAGE })));
  const create = useAction(async () => {
    const { id } = await api.models.create({ ...draft.peek(), name: draft.peek().name.trim() });
    await refreshQueries(['models']);
    route(to(`/models/${id}`));
  });
  const { problem } = create;
  const isShown = problem?.issues.every(({ pointer }) => ['/name', '/description', '/sourceId'].includes(pointer));
  return (
    <Page title="New model" lead="Choose where its tables are. The tables themselves come next.">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <Field
          label="Name"
          required
          maxLength={200}
          issue={issueOf(problem, 'name')}
          value={draft.value.name}
          onInput={({ currentTarget: { value } }) => set({ name: value })}
        />
        <TextField
          label="Description"
          rows={2}
          issue={issueOf(problem, 'description')}
          value={draft.value.description}
          onInput={({ currentTarget: { value } }) => set({ description: value })}
        />
        <SelectField
          label="Tables from"
          hint="It cannot be changed later. A database is queried where it is."
          issue={issueOf(problem, 'sourceId') ?? issueOfChoices(sources.error)}
          value={draft.value.sourceId}
          onChange={({ currentTarget: { value } }) => set({ sourceId: value })}
        >
          <option value="datasets">the datasets of the workspace</option>
          {sources.data
            ?.filter(({ type }) => QUERIED.includes(type))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
        <Issue problem={problem && problem.issues.length > 0 && isShown ? undefined : problem} />
        <div class="actions">
          <Button type="submit" look="main" isBusy={create.isRunning}>
            Create
          </Button>
          <Link to="/models" class="button">
            Cancel
          </Link>
        </div>
      </form>
    </Page>
  );
}
