import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';

/** A name is all that a dashboard needs; its editor has the rest. */
export default function NewDashboard() {
  const { route } = useLocation();
  const name = useSignal('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current!.querySelector('input')!.focus(), []);
  const create = useAction(async () => {
    const { id } = await api.dashboards.create({ name: name.peek().trim() });
    void refreshQueries(['dashboards']);
    route(to(`/dashboards/${id}/edit`), true);
  });
  const { problem } = create;
  const isTaken = problem?.code === 'DASHBOARD_NAME_TAKEN';
  const issue = isTaken ? problem?.sentence : issueOf(problem, 'name');
  return (
    <Page title="New dashboard">
      <form
        class="form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <Field
          label="Name"
          required
          maxLength={200}
          autocomplete="off"
          issue={issue}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <div class="actions">
          <Button type="submit" look="main" isBusy={create.isRunning}>
            Create and add cards
          </Button>
        </div>
        <Issue problem={issue ? undefined : problem} />
      </form>
    </Page>
  );
}
