import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { placeOf, type Test, useTest, wordsOf } from '../../data/quality.ts';
import { refreshQueries } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import { started } from '../../data/started.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Severity } from './issues.tsx';
import { Results } from './results.tsx';
import { Settings } from './settings.tsx';
import { whenInWords } from './tests.tsx';

/** One test: its results over time. */
export default function TestScreen({ params: { id = '' } }: ScreenProps) {
  const { data: test, error, refresh } = useTest(id);
  const name = test?.name;
  useRecent('quality_test', id, name, error);
  const canEdit = hasRole(useMe().data, 'editor');
  if (!test) {
    return (
      <Page title="Test">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />}</Page>
    );
  }
  const tabs = [{ id: 'results', label: 'Results' }, ...(canEdit ? [{ id: 'settings', label: 'Settings' }] : [])];
  return (
    <Page
      title={test.name}
      mark={<Severity name={test.severity} />}
      lead={`${wordsOf(test.testType)} · ${placeOf(test)} · runs ${whenInWords(test)}`}
      actions={canEdit && <Run test={test} />}
    >
      {test.description && <p>{test.description}</p>}
      <Tabs label="Parts of the test" tabs={tabs}>
        {(tab) => (tab === 'settings' ? <Settings key={id} test={test} /> : <Results test={test} canEdit={canEdit} />)}
      </Tabs>
    </Page>
  );
}

function Run({ test: { id } }: { test: Test }) {
  const run = useAction(async () => {
    await started(api.quality.runTest(id));
    await refreshQueries(['quality']);
  });
  return (
    <>
      <Button icon="play" look="main" isBusy={run.isRunning} onClick={() => void run.run()}>
        Run now
      </Button>
      <Issue problem={run.problem} />
    </>
  );
}
