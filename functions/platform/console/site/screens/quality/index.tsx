import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useScore } from '../../data/quality.ts';
import { useQuery } from '../../data/query.ts';
import { started } from '../../data/started.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Button } from '../../ui/button.tsx';
import { counted, scoreOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { Issues } from './issues.tsx';
import { Publishing } from './publishing.tsx';
import { Scans } from './scans.tsx';
import { Suggestions } from './suggestions.tsx';
import { Tables } from './tables.tsx';
import { Tests } from './tests.tsx';

const EVERY_MS = 15_000;

/** How far the data can be trusted: what is wrong first. */
export default function Quality({ query }: ScreenProps) {
  const score = useScore().data;
  const summary = useQuery(['quality', 'issues', 'summary'], () => api.quality.summarizeIssues(), {
    everyMs: EVERY_MS,
  }).data;
  const pending = useQuery(
    ['quality', 'suggestions', 'count'],
    async () => (await api.quality.listSuggestions({ status: 'pending', limit: 1 })).total,
  ).data;
  const canEdit = hasRole(useMe().data, 'editor');
  const tabs = [
    { id: 'issues', label: 'Issues', count: summary && (summary.byStatus.open ?? 0) },
    { id: 'tables', label: 'Tables' },
    { id: 'tests', label: 'Tests' },
    { id: 'suggestions', label: 'Suggestions', count: pending },
    { id: 'scans', label: 'Scans' },
    { id: 'publishing', label: 'Publishing' },
  ];
  return (
    <Page title="Quality" lead={score && leadOf(score)} actions={canEdit && <Actions />}>
      <Tabs label="Parts of data quality" tabs={tabs}>
        {(tab) => {
          switch (tab) {
            case 'tables':
              return <Tables />;
            case 'tests':
              return <Tests query={query} />;
            case 'suggestions':
              return <Suggestions canEdit={canEdit} />;
            case 'scans':
              return <Scans canEdit={canEdit} />;
            case 'publishing':
              return <Publishing />;
            default:
              return <Issues query={query} />;
          }
        }}
      </Tabs>
    </Page>
  );
}

function leadOf({ score, tables, unscored }: { score: number | null; tables: number; unscored: number }): string {
  if (score === null) return 'No test has run yet, so there is no score.';
  const rest = unscored > 0 ? `; ${counted(unscored, 'table')} without a result` : '';
  return `Score ${scoreOf(score)} of 100, over ${counted(tables, 'table')}${rest}`;
}

function Actions() {
  const runAll = useAction(async () => {
    await started(api.quality.runAllTests());
    toast('All active tests are running. Their results appear here.');
  });
  const scan = useAction(async () => {
    const { started: scans, skipped } = await started(api.quality.scanKnownTables());
    const rest = skipped.length > 0 ? `, ${counted(skipped.length, 'table')} left out` : '';
    toast(`${counted(scans.length, 'scan')} started${rest}. Suggestions follow.`);
  });
  return (
    <>
      <Button isBusy={scan.isRunning} onClick={() => void scan.run()}>
        Scan all tables
      </Button>
      <Button icon="play" isBusy={runAll.isRunning} onClick={() => void runAll.run()}>
        Run all tests
      </Button>
      <Link to="/quality/new" class="button main">
        <Icon name="plus" size={16} />
        New test
      </Link>
      <Issue problem={runAll.problem ?? scan.problem} />
    </>
  );
}
