import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { type Test, wordsOf } from '../../data/quality.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget } from '../../data/recent.ts';
import { useEdit } from '../../data/versioned.ts';
import { DeleteSection } from '../../shell/delete-record.tsx';
import { Theirs } from '../../shell/record-form.tsx';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { Section } from '../../ui/page.tsx';
import { scheduleDifferences } from '../../ui/schedule-fields.tsx';
import { bodyOf, draftOf, scheduleFieldsOf, TestFields } from './test-form.tsx';

const LABELS = {
  name: 'Name',
  testType: { label: 'Type', write: wordsOf },
  tableName: 'Table',
  columnName: 'Column',
  config: 'Settings',
  severity: 'Severity',
  runOnSync: 'Run after new data',
  isActive: 'Active',
};

/** The rule, its times, and its removal. */
export function Settings({ test }: { test: Test }) {
  const { id } = test;
  const { route } = useLocation();
  const draft = useSignal(draftOf(test));
  const schedule = useSignal(scheduleFieldsOf(test));
  const edit = useEdit(
    test,
    () => api.quality.getTest(id),
    async (ifMatch) => {
      const saved = await api.quality.updateTest(id, bodyOf(draft.peek(), schedule.peek(), test), { ifMatch });
      await refreshQueries(['quality']);
      return saved;
    },
  );
  return (
    <div class="settings">
      <Section title="The test">
        <TestFields
          draft={draft}
          schedule={schedule}
          base={test}
          problem={edit.problem}
          submit={() => edit.run()}
          conflict={
            edit.theirs && (
              <Theirs
                saving={edit}
                differences={(theirs) => [
                  ...differencesOf(draftOf(theirs), draft.value, LABELS),
                  ...scheduleDifferences(scheduleFieldsOf(theirs), schedule.value),
                ]}
                take={(theirs) => {
                  draft.value = draftOf(theirs);
                  schedule.value = scheduleFieldsOf(theirs);
                  void refreshQueries(['quality']);
                }}
              />
            )
          }
        >
          <Button type="submit" look="main" isBusy={edit.isRunning}>
            Save
          </Button>
        </TestFields>
      </Section>
      <DeleteSection
        noun="test"
        what={`“${test.name}”`}
        hint="Its open issue is marked as fixed. To keep the results, make the test inactive instead."
        remove={async () => {
          await api.quality.deleteTest(id, { ifMatch: test.revision });
          forget({ type: 'quality_test', id });
          await refreshQueries(['quality']);
          route(to('/quality', { tab: 'tests' }));
        }}
      >
        The test and its results are deleted. This cannot be undone.
      </DeleteSection>
    </div>
  );
}
