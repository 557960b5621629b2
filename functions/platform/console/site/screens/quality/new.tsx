import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { bodyOf, EMPTY_DRAFT, scheduleFieldsOf, TestFields } from './test-form.tsx';

/** A new test. */
export default function NewTest({ query: { table = '' } }: ScreenProps) {
  const { route } = useLocation();
  const draft = useSignal({ ...EMPTY_DRAFT, tableName: table });
  const schedule = useSignal(scheduleFieldsOf(undefined));
  const create = useAction(async () => {
    const { id } = await api.quality.createTest(bodyOf(draft.peek(), schedule.peek()));
    await refreshQueries(['quality']);
    route(to(`/quality/tests/${id}`), true);
  });
  return (
    <Page title="New test" lead="A rule for the rows of a table. If it fails, it opens an issue.">
      <TestFields draft={draft} schedule={schedule} problem={create.problem} submit={() => create.run()}>
        <Button type="submit" look="main" isBusy={create.isRunning}>
          Create the test
        </Button>
      </TestFields>
    </Page>
  );
}
