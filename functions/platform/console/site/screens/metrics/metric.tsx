import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useMembers } from '../../data/members.ts';
import { type MetricDetails, useMetric } from '../../data/metrics.ts';
import { useModel } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { forget, useRecent } from '../../data/recent.ts';
import { Comments } from '../../shell/comments.tsx';
import { DeleteDialog } from '../../shell/delete-record.tsx';
import { Lineage } from '../../shell/lineage.tsx';
import { ObjectLink } from '../../shell/object-link.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { issueText } from '../../ui/place-name.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { Definition } from './definition.tsx';
import { Drivers } from './drivers.tsx';
import { EditMetric } from './edit.tsx';
import { Overview, type ViewProps } from './overview.tsx';

const TABS = [
  { id: 'value', label: 'Value' },
  { id: 'drivers', label: 'What moved it' },
  { id: 'definition', label: 'Definition' },
  { id: 'lineage', label: 'Lineage' },
  { id: 'comments', label: 'Comments' },
] as const;

type Tab = (typeof TABS)[number]['id'];

/** One metric. */
export default function MetricScreen({ params: { id = '' }, query }: ScreenProps) {
  const { route } = useLocation();
  const { data: metric, error, refresh } = useMetric(id);
  const [isEditing, edit] = useState(false);
  const name = metric?.name;
  useRecent('metric', id, name, error);
  const show = (change: Record<string, string>) => route(to(`/metrics/${id}`, { ...query, ...change }), true);
  if (!metric) return error ? <Failed isPage problem={problemOf(error)} retry={refresh} /> : <Loading isPage />;
  if (isEditing) return <EditMetric metric={metric} close={() => edit(false)} />;
  return (
    <Page
      title={metric.name}
      mark={
        <>
          {metric.isCertified && <Mark kind="certified" />}
          {metric.deprecation && <Mark kind="deprecated" />}
          {metric.stale && <Mark kind="stale" />}
        </>
      }
      lead={<Lead metric={metric} />}
      actions={<Actions metric={metric} edit={() => edit(true)} />}
    >
      {metric.deprecation && (
        <p class="issue-box">Deprecated{metric.deprecation.reason ? `: ${metric.deprecation.reason}` : '.'}</p>
      )}
      {metric.stale && <Broken metric={metric} />}
      <Tabs label="Parts of the metric" tabs={TABS}>
        {(tab) => <Part tab={tab as Tab} metric={metric} query={query} show={show} />}
      </Tabs>
    </Page>
  );
}

function Part({ tab, ...view }: ViewProps & { tab: Tab }) {
  const { metric } = view;
  if (metric.stale && (tab === 'value' || tab === 'drivers')) {
    return (
      <Empty icon="gauge" title="There are no values">
        They are shown again once the metric or its model is corrected.
      </Empty>
    );
  }
  switch (tab) {
    case 'value':
      return <Overview {...view} />;
    case 'drivers':
      return <Drivers {...view} />;
    case 'definition':
      return <Definition metric={metric} />;
    case 'lineage':
      return <Lineage type="metric" id={metric.id} />;
    case 'comments':
      return <Comments type="metric" id={metric.id} />;
  }
}

function Lead({ metric: { description, ownerId, modelId, certifiedBy, isCertified } }: { metric: MetricDetails }) {
  const owner = useMembers()?.get(ownerId)?.name;
  const model = useModel(modelId).data;
  return (
    <>
      {description && <span class="description">{description}</span>}
      <span class="facts">
        {model && (
          <span>
            of the model <ObjectLink type="model" id={modelId} name={model.name} />
          </span>
        )}
        {owner && <span>owned by {owner}</span>}
        {isCertified && certifiedBy && <span>certified by {certifiedBy}</span>}
      </span>
    </>
  );
}

const Broken = ({ metric: { diagnostics } }: { metric: MetricDetails }) => (
  <div class="issue-box" role="status">
    <p>The model can no longer answer for this metric. Correct the metric or its model.</p>
    <ul>
      {diagnostics.map(({ pointer, message }) => (
        <li key={pointer + message}>{issueText({ pointer, message })}</li>
      ))}
    </ul>
  </div>
);

function Actions({ metric, edit }: { metric: MetricDetails; edit: () => void }) {
  const { id, name, revision } = metric;
  const { route } = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const canDelete = metric.permission === 'editor' && hasRole(useMe().data, 'editor');
  return (
    <>
      <Link to="/alerts/new" query={{ metric: id }} class="button">
        <Icon name="siren" /> New alert
      </Link>
      {metric.permission === 'editor' && (
        <Button icon="pencil" onClick={edit}>
          Edit
        </Button>
      )}
      {canDelete && (
        <Menu
          label="More actions"
          isRight
          class="icon-only"
          choices={[[{ label: 'Delete', icon: 'trash-2', isDanger: true, run: () => setDeleting(true) }]]}
        >
          <Icon name="ellipsis" />
        </Menu>
      )}
      {isDeleting && (
        <DeleteDialog
          what={`“${name}”`}
          remove={async () => {
            await api.metrics.delete(id, { ifMatch: revision });
            forget({ type: 'metric', id });
            await refreshQueries(['metrics', 'list']);
            toast(`The metric “${name}” is deleted.`);
            route(to('/metrics'));
          }}
          close={() => setDeleting(false)}
        >
          Its definition is deleted. The model and its rows stay.
        </DeleteDialog>
      )}
    </>
  );
}
