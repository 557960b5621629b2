import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useRecent } from '../../data/recent.ts';
import { addressOfSource, SOURCE_TYPES, type Source, useSource } from '../../data/sources.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Failed, Issue, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { History } from './history.tsx';
import { Settings } from './settings.tsx';
import { Tables } from './tables.tsx';
import { Upload } from './upload.tsx';

/** One source. */
export default function SourceScreen({ params: { id = '' } }: ScreenProps) {
  const { data: source, error, refresh } = useSource(id);
  const name = source?.name;
  useRecent('data_source', id, name, error);
  const isAdmin = hasRole(useMe().data, 'admin');
  if (!source) {
    return (
      <Page title="Source">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}</Page>
    );
  }
  const isFile = source.type === 'file';
  const tabs = [
    { id: 'tables', label: isFile || source.type === 's3' ? 'Files' : 'Tables' },
    { id: 'history', label: 'History' },
    ...(isAdmin ? [{ id: 'settings', label: 'Settings' }] : []),
  ];
  return (
    <Page
      title={source.name}
      lead={leadOf(source)}
      actions={isFile ? <Upload key={id} source={source} /> : isAdmin && <Test id={id} />}
    >
      <Tabs label="Parts of the source" tabs={tabs}>
        {(tab) => {
          if (tab === 'history') return <History source={source} />;
          return tab === 'settings' ? <Settings source={source} /> : <Tables source={source} />;
        }}
      </Tabs>
    </Page>
  );
}

const leadOf = (source: Source): string =>
  [
    SOURCE_TYPES[source.type] ?? source.type,
    addressOfSource(source),
    source.schedule && scheduleInWords(source.schedule),
  ]
    .filter(Boolean)
    .join(' · ');

/** Whether the source can be reached now. */
function Test({ id }: { id: string }) {
  const test = useAction(async () => {
    const reply = await api.dataSources.test(id);
    await refreshQueries(['sources', id]);
    if (!reply.ok) throw new Error(`The connection failed: ${reply.message ?? reply.code}`);
    return reply;
  });
  return (
    <>
      <Button icon="check" isBusy={test.isRunning} onClick={() => void test.run()}>
        Test the connection
      </Button>
      <Issue problem={test.problem} />
    </>
  );
}
