import { useDashboard } from '../../data/boards.ts';
import { dashboardDeliveries } from '../../data/deliveries.ts';
import { problemOf } from '../../data/problem.ts';
import { DeliveryList } from '../../shell/deliveries/deliveries.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading, NotAllowed } from '../../ui/states.tsx';

/** Who gets a dashboard by email or in a channel, and when. */
export default function DashboardSubscriptions({ params: { id = '' } }: ScreenProps) {
  const { data: dashboard, error, refresh } = useDashboard(id);
  if (!dashboard) {
    return (
      <Page title="Subscriptions">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />}
      </Page>
    );
  }
  const { viewerMeta: rights } = dashboard;
  if (rights?.permission !== 'editor') {
    return (
      <NotAllowed isPage title={`You cannot send ${dashboard.name}`}>
        Those who may edit the dashboard can send it to others.
      </NotAllowed>
    );
  }
  return (
    <Page
      title={`Subscriptions to ${dashboard.name}`}
      lead={<Link to={`/dashboards/${id}`}>Back to the dashboard</Link>}
    >
      <DeliveryList deliveries={dashboardDeliveries(id)} pages={dashboard.pages} />
    </Page>
  );
}
