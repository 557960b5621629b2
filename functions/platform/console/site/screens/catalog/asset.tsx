import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { type AssetDetails, type AssetType, inOrder, useAsset, useDomains } from '../../data/catalog.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useMembers } from '../../data/members.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { Lineage } from '../../shell/lineage.tsx';
import { MemberChecks } from '../../shell/member-choice.tsx';
import { ObjectLink } from '../../shell/object-link.tsx';
import { addressOf } from '../../shell/registry.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { objectType, typeOf } from '../../shell/types.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { counted, scoreOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Ago } from '../../ui/time.tsx';
import { Certify } from './certify.tsx';

const TABS = [
  { id: 'about', label: 'About' },
  { id: 'lineage', label: 'Lineage' },
  { id: 'impact', label: 'If it were removed' },
] as const;

/** What the catalog says about one object. */
export default function AssetScreen({ params: { type = '', id = '' }, query }: ScreenProps) {
  const kind = type as AssetType;
  const { data: asset, error, refresh } = useAsset(kind, id);
  const canDescribe = hasRole(useMe().data, 'editor');
  const isEditing = useSignal(false);
  useEffect(() => {
    isEditing.value = false;
  }, [type, id]);
  if (!asset) return error ? <Failed isPage problem={problemOf(error)} retry={refresh} /> : <Loading isPage />;
  const address = addressOf(objectType(type), id);
  return (
    <Page
      title={asset.name}
      mark={
        <>
          <span class="hint">{typeOf(objectType(type)).label}</span>
          {asset.isCertified && <Mark kind="certified" />}
          {asset.deprecation && <Mark kind="deprecated" />}
        </>
      }
      lead={asset.description}
      actions={
        <>
          {canDescribe && (
            <Button icon="pencil" onClick={() => (isEditing.value = true)}>
              Describe
            </Button>
          )}
          <Certify type={kind} id={id} />
          {address && (
            <a class="button main" href={address}>
              Open
            </a>
          )}
        </>
      }
    >
      {asset.deprecation && (
        <p class="issue-box">
          Deprecated{asset.deprecation.reason && `: ${asset.deprecation.reason}`}
          {asset.deprecation.replacedBy && (
            <>
              {' '}
              <Link to={`/catalog/${asset.deprecation.replacedBy.type}/${asset.deprecation.replacedBy.id}`}>
                Use this instead
              </Link>
            </>
          )}
        </p>
      )}
      {isEditing.value && <Describe type={kind} asset={asset} close={() => (isEditing.value = false)} />}
      <Tabs label="Parts" tabs={TABS}>
        {(tab) => {
          if (tab === 'about') return <About asset={asset} />;
          return <Flow asset={asset} tab={tab} query={query} />;
        }}
      </Tabs>
    </Page>
  );
}

const ROLES: Readonly<Record<string, string>> = { means: 'is', measuredBy: 'measures', about: 'is about' };
const TRENDS: Readonly<Record<string, string>> = { rising: 'rising', steady: 'steady', falling: 'falling' };

function About({ asset }: { asset: AssetDetails }) {
  const members = useMembers();
  const domain = useDomains().data?.find(({ id }) => id === asset.domainId)?.name;
  const { usage, freshness, qualityScore, terms, fields, tags, certifiedBy, certifiedAt } = asset;
  const used = [
    counted(usage.views30d, 'view'),
    counted(usage.queries30d, 'query', 'queries'),
    `by ${counted(usage.viewers30d, 'person', 'people')}`,
    TRENDS[usage.trend] ?? usage.trend,
  ];
  return (
    <>
      <div class="asset-parts">
        <Section title="About">
          <dl class="terms">
            <Row name="Owner">
              {asset.ownerIds.map((id) => members?.get(id)?.name ?? 'a former member').join(', ') || 'none'}
            </Row>
            <Row name="Domain">{domain ?? 'none'}</Row>
            <Row name="Tags">
              {tags.length === 0
                ? 'none'
                : tags.map((tag) => (
                    <Link key={tag} to="/catalog" query={{ tag }} class="tag">
                      {tag}
                    </Link>
                  ))}
            </Row>
            {asset.isCertified && (
              <Row name="Certified">
                by {certifiedBy} {certifiedAt && <Ago at={certifiedAt} />}
              </Row>
            )}
            <Row name="Last 30 days">{used.join(', ')}</Row>
            {qualityScore !== null && <Row name="Quality">{scoreOf(qualityScore)} of 100</Row>}
            {freshness && (
              <Row name="Freshness">
                {freshness.status}
                {freshness.lastLoadedAt && (
                  <>
                    , loaded <Ago at={freshness.lastLoadedAt} />
                  </>
                )}
              </Row>
            )}
            <Row name="Changed">
              <Ago at={asset.updatedAt} />
            </Row>
          </dl>
        </Section>
        <Section title="Terms">
          {terms.length === 0 ? (
            <p class="hint">No term of the glossary is linked to it.</p>
          ) : (
            <ul class="list used">
              {terms.map(({ id, name, role, status }) => (
                <li key={id}>
                  <span class="hint">{ROLES[role] ?? role}</span>
                  <ObjectLink type="term" id={id} name={name} />
                  {status !== 'approved' && <span class="hint">{status.replaceAll('_', ' ')}</span>}
                </li>
              ))}
            </ul>
          )}
        </Section>
      </div>
      {fields.length > 0 && (
        <Section title={counted(fields.length, 'field')}>
          <ul class="list fields">
            {fields.map(({ id, name, dataType, description }) => (
              <li key={id}>
                <span>{name}</span> <code>{dataType}</code> {description && <span class="hint">{description}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const Row = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface FlowProps {
  asset: AssetDetails;
  tab: string;
  query: Readonly<Record<string, string>>;
}

/** Where its rows come from and go to, as a whole or by one field. */
function Flow({ asset, tab, query }: FlowProps) {
  const { route } = useLocation();
  const { type, id, fields } = asset;
  const column = query.column ?? '';
  const kind = type as Parameters<typeof api.catalog.getLineage>[0];
  return (
    <>
      {fields.length > 0 && (
        <div class="filters">
          <SelectField
            label="Of"
            value={column}
            onChange={({ currentTarget: { value } }) =>
              route(to(`/catalog/${type}/${id}`, { ...query, column: value }), true)
            }
          >
            <option value="">all of it</option>
            {fields.map((field) => (
              <option key={field.id} value={field.id}>
                {field.name}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {tab === 'lineage' ? (
        <Lineage type={kind} id={id} column={column} />
      ) : (
        <Impact type={kind} id={id} column={column} />
      )}
    </>
  );
}

const EFFECTS: Readonly<Record<string, string>> = {
  breaks: 'would fail',
  loses_columns: 'would lose columns',
  outdated: 'would get no new rows',
  unknown: 'reads it; it is not known which columns',
};

interface ImpactProps {
  type: Parameters<typeof api.catalog.getImpact>[0];
  id: string;
  column: string;
}

function Impact({ type, id, column }: ImpactProps) {
  const { data, error, refresh } = useQuery(['impact', type, id, column], () =>
    api.catalog.getImpact(type, id, column ? { column } : {}),
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={5} />;
  if (data.affected.length === 0) {
    return (
      <Empty icon="check" title="Nothing would break">
        No object that you may see depends on it.
      </Empty>
    );
  }
  return (
    <Section
      title={`${data.isTruncated ? 'At least ' : ''}${counted(data.affected.length, 'object')} would be affected`}
    >
      <ul class="list used">
        {data.affected.map((each) => (
          <li key={`${each.type} ${each.id}`}>
            <ObjectLink type={objectType(each.type)} id={each.id} name={each.name} />
            <span class="hint">
              {typeOf(objectType(each.type)).label}: {EFFECTS[each.effect] ?? each.effect}
              {each.columns.length > 0 && ` (${each.columns.map(({ name }) => name).join(', ')})`}
            </span>
          </li>
        ))}
      </ul>
      {data.isTruncated && <p class="hint">Not all objects are shown.</p>}
    </Section>
  );
}

interface DescribeProps {
  type: AssetType;
  asset: AssetDetails;
  close: () => void;
}

/** Owners, domain and tags, which do not change the object itself. */
function Describe({ type, asset, close }: DescribeProps) {
  const domains = inOrder(useDomains().data ?? []);
  const tags = useSignal(asset.tags.join(', '));
  const domainId = useSignal(asset.domainId ?? '');
  const ownerIds = useSignal<readonly string[]>(asset.ownerIds);
  const save = useAction(async () => {
    const given = tags
      .peek()
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
    await api.catalog.setEntry(type, asset.id, {
      ...(type !== 'term' && { tags: given, ownerIds: [...ownerIds.peek()] }),
      domainId: domainId.peek() || null,
    });
    await refreshQueries(['catalog']);
    close();
  });
  return (
    <Section title="Describe">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <MemberChecks
          legend="Owners"
          userIds={ownerIds.value}
          change={(next) => {
            ownerIds.value = next;
          }}
        />
        {domains.length > 0 && (
          <SelectField
            label="Domain"
            value={domainId.value}
            onChange={({ currentTarget: { value } }) => {
              domainId.value = value;
            }}
          >
            <option value="">none</option>
            {domains.map(({ id, name, depth }) => (
              <option key={id} value={id}>
                {depth > 0 ? `– ${name}` : name}
              </option>
            ))}
          </SelectField>
        )}
        <Field
          label="Tags"
          hint="Separated by commas, such as finance, monthly."
          value={tags.value}
          onInput={({ currentTarget: { value } }) => {
            tags.value = value;
          }}
        />
        <Issue problem={save.problem} />
        <div class="actions">
          <Button type="submit" look="main" isBusy={save.isRunning}>
            Save
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Section>
  );
}
