import { useDashboard } from '../../data/boards.ts';
import { problemOf } from '../../data/problem.ts';
import { dashboardGrants, type SharedObject } from '../../data/sharing.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { Embed } from '../../shell/sharing/embed.tsx';
import { Links } from '../../shell/sharing/links.tsx';
import { People } from '../../shell/sharing/people.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading, NotAllowed } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Audience } from './audience.tsx';

const TABS = [
  { id: 'links', label: 'Links' },
  { id: 'people', label: 'People' },
  { id: 'embed', label: 'Embed' },
];

/** Who sees a dashboard: members, readers of links, and users of other sites. */
export default function ShareDashboard({ params: { id = '' } }: ScreenProps) {
  const { data: dashboard, error, refresh } = useDashboard(id);
  if (!dashboard) {
    return (
      <Page title="Share a dashboard">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={8} />}
      </Page>
    );
  }
  const { viewerMeta: rights } = dashboard;
  if (!rights?.canShare) {
    return (
      <NotAllowed isPage title={`You cannot share ${dashboard.name}`}>
        Editors of the workspace can share it with others.
      </NotAllowed>
    );
  }
  const shared: SharedObject = { type: 'dashboard', id, name: dashboard.name, isPublished: dashboard.isPublished };
  return (
    <Page title={`Share ${dashboard.name}`} lead={<Link to={`/dashboards/${id}`}>Back to the dashboard</Link>}>
      <Tabs label="Ways to share" tabs={TABS}>
        {(tab) => {
          if (tab === 'people') {
            return (
              <People listKey={['dashboards', id, 'access']} grants={dashboardGrants(id)}>
                {dashboard.isPublished
                  ? 'Every member of the workspace sees what is published; editors also see and change the draft.'
                  : 'It is a draft: editors of the workspace see it, and the people below.'}
              </People>
            );
          }
          const Part = tab === 'embed' ? Embed : Links;
          return (
            <Part shared={shared} preview={(attributes) => <Audience shared={shared} attributes={attributes} />} />
          );
        }}
      </Tabs>
    </Page>
  );
}
