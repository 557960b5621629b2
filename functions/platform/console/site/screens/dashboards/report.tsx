import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../../data/client.ts';
import { reportDeliveries } from '../../data/deliveries.ts';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import { ReportDraft } from '../../data/report-draft.ts';
import { type Report, useReport } from '../../data/reports.ts';
import { reportGrants, type SharedObject } from '../../data/sharing.ts';
import { DeliveryList } from '../../shell/deliveries/deliveries.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { Embed } from '../../shell/sharing/embed.tsx';
import { Links } from '../../shell/sharing/links.tsx';
import { People } from '../../shell/sharing/people.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { Deleted } from './deleted.tsx';
import { ReportActions } from './report-actions.tsx';
import { ReportAudience } from './report-audience.tsx';
import { ReportBody } from './report-body.tsx';

const READ = { id: 'read', label: 'Report' };
const EDITOR_TABS = [
  READ,
  { id: 'edit', label: 'Edit' },
  { id: 'subscriptions', label: 'Subscriptions' },
  { id: 'links', label: 'Links' },
  { id: 'people', label: 'People' },
  { id: 'embed', label: 'Embed' },
];

const ReportEditor = lazyPart(() => import('./report-editor.tsx'));

/** A report, and for its editors what it consists of and who gets it. */
export default function ReportScreen({ params: { id = '' }, query }: ScreenProps) {
  const { data: report, error, refresh } = useReport(id);
  const name = report?.name;
  useRecent('report', id, report?.deletedAt ? null : name, error);
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${name} – Analytics`;
  }, [id, name]);
  if (!report) {
    return (
      <Page title="Report">{error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}</Page>
    );
  }
  if (report.deletedAt !== null) {
    const record = { name: report.name, deletedAt: report.deletedAt };
    return <Deleted what="report" record={record} restore={() => api.reports.restore(id)} />;
  }
  return <Opened key={id} report={report} query={query} />;
}

function Opened({ report, query }: { report: Report; query: ScreenProps['query'] }) {
  const draft = useMemo(() => new ReportDraft(report), []);
  useEffect(() => draft.follow(report), [report.revision]);
  const isEditor = report.permission === 'editor';
  const read = <ReportBody key={report.revision} report={report} query={query} />;
  const partOf = (tab: string) => {
    if (tab === 'read') return read;
    return tab === 'edit' ? <ReportEditor report={report} draft={draft} /> : <Part tab={tab} report={report} />;
  };
  return (
    <Page
      title={report.name}
      mark={
        isEditor &&
        (report.isPublished ? <Status kind="succeeded" label="published" /> : <Status kind="skipped" label="draft" />)
      }
      {...(report.description && { lead: report.description })}
      actions={<ReportActions report={report} />}
    >
      <Unsaved draft={draft} />
      {isEditor ? (
        <Tabs label="Parts of the report" tabs={EDITOR_TABS}>
          {partOf}
        </Tabs>
      ) : (
        read
      )}
    </Page>
  );
}

/** The draft is kept while the person looks at other parts of the report. */
function Unsaved({ draft }: { draft: ReportDraft }) {
  useUnsaved(draft.isChanged);
  return null;
}

function Part({ tab, report: { id, name, isPublished } }: { tab: string; report: Report }) {
  const shared: SharedObject = { type: 'report', id, name, isPublished };
  if (tab === 'subscriptions') return <DeliveryList deliveries={reportDeliveries(id)} />;
  if (tab === 'people') {
    return (
      <People listKey={['reports', id, 'access']} grants={reportGrants(id)}>
        {isPublished
          ? 'Every member of the workspace sees it; editors also change it.'
          : 'It is a draft: editors of the workspace see it, and the people below.'}
      </People>
    );
  }
  const Shared = tab === 'embed' ? Embed : Links;
  return (
    <Shared shared={shared} preview={(attributes) => <ReportAudience shared={shared} attributes={attributes} />} />
  );
}
