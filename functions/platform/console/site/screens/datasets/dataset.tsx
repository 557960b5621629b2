import { type Dataset, useDataset } from '../../data/datasets.ts';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Actions } from './actions.tsx';
import { Columns } from './columns.tsx';
import { Head } from './head.tsx';
import { Refreshes } from './refreshes.tsx';
import { Rows } from './rows.tsx';
import { UsedBy } from './used-by.tsx';
import { Versions } from './versions.tsx';

const TABS = [
  { id: 'rows', label: 'Rows' },
  { id: 'columns', label: 'Columns' },
  { id: 'refreshes', label: 'Refreshes' },
  { id: 'versions', label: 'Versions' },
  { id: 'used-by', label: 'Used by' },
] as const;

type Tab = (typeof TABS)[number]['id'];

/** One dataset. */
export default function DatasetScreen({ params: { id = '' } }: ScreenProps) {
  const { data: dataset, error, refresh } = useDataset(id);
  const name = dataset?.name;
  useRecent('dataset', id, name, error);
  if (!dataset) {
    return (
      <Page title="Dataset">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  return (
    <Head dataset={dataset} actions={<Actions dataset={dataset} />}>
      <Tabs label="Parts of the dataset" tabs={TABS}>
        {(tab) => <Part tab={tab as Tab} dataset={dataset} />}
      </Tabs>
    </Head>
  );
}

function Part({ tab, dataset }: { tab: Tab; dataset: Dataset }) {
  switch (tab) {
    case 'rows':
      return <Rows dataset={dataset} />;
    case 'columns':
      return <Columns dataset={dataset} />;
    case 'refreshes':
      return <Refreshes dataset={dataset} />;
    case 'versions':
      return <Versions dataset={dataset} />;
    case 'used-by':
      return <UsedBy dataset={dataset} />;
  }
}
