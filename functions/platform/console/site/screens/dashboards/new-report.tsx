import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { to } from '../../ui/address.ts';
import { bound } from '../../ui/bound.ts';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';

/** A name is all that a report needs; its editor has the rest. */
export default function NewReport() {
  const { route } = useLocation();
  const name = useSignal('');
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current!.querySelector('input')!.focus(), []);
  const create = useAction(async () => {
    const { id } = await api.reports.create({ name: name.peek().trim() });
    void refreshQueries(['reports']);
    route(to(`/dashboards/reports/${id}`, { tab: 'edit' }), true);
  });
  const { problem } = create;
  const issue = problem?.code === 'REPORT_NAME_TAKEN' ? problem.sentence : issueOf(problem, 'name');
  return (
    <Page title="New report" lead="A document with texts, charts and parameters, to read, download and send.">
      <div ref={frame}>
        <Form
          action="Create and add blocks"
          submit={() => create.run()}
          isBusy={create.isRunning}
          problem={issue ? undefined : problem}
        >
          <Field label="Name" required maxLength={200} autocomplete="off" issue={issue} {...bound(name)} />
        </Form>
      </div>
    </Page>
  );
}
