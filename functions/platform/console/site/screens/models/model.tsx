import { hasRole, useMe } from '../../data/me.ts';
import { useModel } from '../../data/models.ts';
import { problemOf } from '../../data/problem.ts';
import { useRecent } from '../../data/recent.ts';
import { Comments } from '../../shell/comments.tsx';
import { Lineage } from '../../shell/lineage.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { counted } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Actions } from './actions.tsx';
import { CalendarSettings } from './calendar.tsx';
import { File } from './file.tsx';
import { Hierarchies } from './hierarchies.tsx';
import { Measures } from './measures.tsx';
import { Parameters } from './parameters.tsx';
import type { PartProps } from './part-props.ts';
import { Policies } from './policies.tsx';
import { Published } from './published.tsx';
import { Relationships } from './relationships.tsx';
import { Rollups } from './rollups.tsx';
import { Tables } from './tables.tsx';
import { Transforms } from './transforms.tsx';
import { Versions } from './versions.tsx';

const TABS = [
  { id: 'tables', label: 'Tables' },
  { id: 'steps', label: 'Steps' },
  { id: 'relationships', label: 'Relationships' },
  { id: 'measures', label: 'Measures' },
  { id: 'hierarchies', label: 'Hierarchies' },
  { id: 'parameters', label: 'Parameters' },
  { id: 'calendar', label: 'Calendar' },
  { id: 'rollups', label: 'Rollups' },
  { id: 'policies', label: 'Row policies' },
  { id: 'versions', label: 'Versions' },
  { id: 'file', label: 'File' },
  { id: 'lineage', label: 'Lineage' },
  { id: 'comments', label: 'Comments' },
] as const;

type Tab = (typeof TABS)[number]['id'];

/** One model. */
export default function ModelScreen({ params: { id = '' }, query }: ScreenProps) {
  const { data: model, error, refresh } = useModel(id);
  const isAdmin = hasRole(useMe().data, 'admin');
  const name = model?.name;
  useRecent('model', id, name, error);
  if (!model) return error ? <Failed isPage problem={problemOf(error)} retry={refresh} /> : <Loading isPage />;
  const canEdit = model.permission === 'editor';
  const { errors, warnings } = model.health;
  return (
    <Page
      title={model.name}
      mark={
        <>
          {model.isCertified && <Mark kind="certified" />}
          {model.deprecation && <Mark kind="deprecated" />}
          {errors > 0 && <Mark kind="stale" />}
        </>
      }
      lead={
        <>
          {model.description && <span class="description">{model.description}</span>}
          <span class="facts">
            <span>{counted(model.tableCount, 'table')}</span>
            <Published model={model} />
            {errors > 0 && <span>{counted(errors, 'error')}</span>}
            {warnings > 0 && <span>{counted(warnings, 'warning')}</span>}
          </span>
        </>
      }
      actions={canEdit && <Actions model={model} />}
    >
      {model.deprecation && (
        <p class="issue-box">Deprecated{model.deprecation.reason ? `: ${model.deprecation.reason}` : '.'}</p>
      )}
      <Tabs label="Parts of the model" tabs={TABS.filter((tab) => tab.id !== 'policies' || isAdmin)}>
        {(tab) => <Part tab={tab as Tab} model={model} canEdit={canEdit} query={query} />}
      </Tabs>
    </Page>
  );
}

function Part({ tab, ...part }: PartProps & { tab: Tab }) {
  switch (tab) {
    case 'tables':
      return <Tables {...part} />;
    case 'steps':
      return <Transforms {...part} />;
    case 'relationships':
      return <Relationships {...part} />;
    case 'measures':
      return <Measures {...part} />;
    case 'hierarchies':
      return <Hierarchies {...part} />;
    case 'parameters':
      return <Parameters {...part} />;
    case 'calendar':
      return <CalendarSettings {...part} />;
    case 'rollups':
      return <Rollups {...part} />;
    case 'policies':
      return <Policies {...part} />;
    case 'versions':
      return <Versions {...part} />;
    case 'file':
      return <File {...part} />;
    case 'lineage':
      return <Lineage type="model" id={part.model.id} />;
    case 'comments':
      return <Comments type="model" id={part.model.id} />;
  }
}
