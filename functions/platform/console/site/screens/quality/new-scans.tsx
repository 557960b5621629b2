import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { refreshQueries } from '../../data/query.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Page } from '../../ui/page.tsx';
import { changeOf, EMPTY_DRAFT, ScanFields, scheduleFieldsOf } from './scan-form.tsx';

/** A new schedule of scans. */
export default function NewScans({ query: { table = '' } }: ScreenProps) {
  const { route } = useLocation();
  const draft = useSignal({ ...EMPTY_DRAFT, tableName: table });
  const schedule = useSignal(scheduleFieldsOf(undefined));
  const create = useAction(async () => {
    const { tableName } = draft.peek();
    const { cron, ...others } = changeOf(draft.peek(), schedule.peek());
    await api.quality.createScanSchedule({ ...others, tableName, cron: cron! });
    await refreshQueries(['quality']);
    route(to('/quality', { tab: 'scans' }), true);
  });
  return (
    <Page
      title="Schedule scans"
      lead="A scan describes the columns of a table, finds what is unusual, and suggests tests."
    >
      <ScanFields
        isNew
        draft={draft}
        schedule={schedule}
        action="Schedule"
        problem={create.problem}
        isBusy={create.isRunning}
        submit={() => create.run()}
      />
    </Page>
  );
}
