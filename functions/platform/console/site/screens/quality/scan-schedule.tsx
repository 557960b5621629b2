import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { nameOfTable, type ScanSchedule, useScanSchedule } from '../../data/quality.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { DeleteSection } from '../../shell/delete-record.tsx';
import { Theirs } from '../../shell/record-form.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { differencesOf } from '../../ui/differences.ts';
import { Page, Section } from '../../ui/page.tsx';
import { scheduleDifferences } from '../../ui/schedule-fields.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { changeOf, draftOf, ScanFields, scheduleFieldsOf } from './scan-form.tsx';
import { scansInWords } from './scans.tsx';

const LABELS = { config: 'Settings', isActive: 'Active' };

/** When a table is scanned. */
export default function ScanScheduleScreen({ params: { id = '' } }: ScreenProps) {
  const { route } = useLocation();
  const { data: schedule, error, refresh } = useScanSchedule(id);
  if (!schedule) {
    return (
      <Page title="Scan schedule">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />}
      </Page>
    );
  }
  return (
    <Page title={`Scans of ${nameOfTable(schedule)}`} lead={scansInWords(schedule)}>
      <div class="settings">
        <Section title="The schedule">
          <Edit key={id} record={schedule} />
        </Section>
        <DeleteSection
          noun="schedule"
          what={`the schedule of “${nameOfTable(schedule)}”`}
          hint="Earlier scans and profiles are kept."
          remove={async () => {
            await api.quality.deleteScanSchedule(id, { ifMatch: schedule.revision });
            route(to('/quality', { tab: 'scans' }));
            await refreshQueries(['quality']);
          }}
        >
          The table is then scanned only on request.
        </DeleteSection>
      </div>
    </Page>
  );
}

function Edit({ record }: { record: ScanSchedule }) {
  const { id } = record;
  const draft = useSignal(draftOf(record));
  const schedule = useSignal(scheduleFieldsOf(record));
  const edit = useEdit(
    record,
    () => api.quality.getScanSchedule(id),
    async (ifMatch) => {
      const saved = await api.quality.updateScanSchedule(id, changeOf(draft.peek(), schedule.peek()), { ifMatch });
      await refreshQueries(['quality']);
      toast('The schedule is saved.');
      return saved;
    },
  );
  return (
    <ScanFields
      isNew={false}
      draft={draft}
      schedule={schedule}
      action="Save"
      problem={edit.problem}
      isBusy={edit.isRunning}
      submit={() => edit.run()}
      conflict={
        edit.theirs && (
          <Theirs
            saving={edit}
            differences={(theirs) => [
              ...scheduleDifferences(scheduleFieldsOf(theirs), schedule.value),
              ...differencesOf(draftOf(theirs), draft.value, LABELS),
            ]}
            take={(theirs) => {
              draft.value = draftOf(theirs);
              schedule.value = scheduleFieldsOf(theirs);
              void refreshQueries(['quality']);
            }}
          />
        )
      }
    />
  );
}
