import { useLocation } from 'preact-iso/router';
import { ASSET_TYPES, type Asset, inOrder, useDomains, useTags } from '../../data/catalog.ts';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { type Member, useMembers } from '../../data/members.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { objectType, typeOf } from '../../shell/types.ts';
import { to } from '../../ui/address.ts';
import { Count } from '../../ui/count.tsx';
import { SelectField } from '../../ui/field.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { cardOf } from './card-of.ts';

type Filters = NonNullable<Parameters<typeof api.catalog.listAssets>[0]>;

/** What the address asks for, as the API takes it. */
function filtersOf({ q, type, tag, owner, domain, certified, sort }: Readonly<Record<string, string>>): Filters {
  const given = {
    search: q,
    type,
    tag,
    ownerId: owner,
    domainId: domain,
    sort,
    deprecated: certified === 'deprecated' || undefined,
    certified: certified === 'yes' || certified === 'no' ? certified === 'yes' : undefined,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}

/** Everything of the workspace that the person may see, by kind, tag, owner, domain and certification. */
export default function Catalog({ query }: ScreenProps) {
  const { route } = useLocation();
  const members = useMembers();
  const tags = useTags().data;
  const domains = inOrder(useDomains().data ?? []);
  const { q = '', tag = '' } = query;
  const filters = filtersOf(query);
  const list = useList<Asset>(
    ['catalog', 'list', filters],
    (place) => api.catalog.listAssets({ ...filters, ...place }),
    {
      keepsLast: true,
    },
  );
  const { total } = list;
  const show = (change: Record<string, string>) => route(to('/catalog', { ...query, ...change }), true);
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort');
  const facet = (name: string) => ({
    value: query[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLSelectElement }) => show({ [name]: value }),
  });
  return (
    <Page
      title="Catalog"
      lead={total !== undefined && total > 0 && `${counted(total, 'object')}${isFiltered ? ' found' : ''}`}
      actions={
        <Link to="/catalog/terms" class="button">
          Glossary
        </Link>
      }
    >
      <SearchField label="Search names and descriptions" value={q} onSearch={(text) => show({ q: text })} />
      <div class="filters">
        <SelectField label="Kind" {...facet('type')}>
          <option value="">all</option>
          {ASSET_TYPES.map((each) => (
            <option key={each} value={each}>
              {typeOf(objectType(each)).label}
            </option>
          ))}
        </SelectField>
        <SelectField label="Tag" {...facet('tag')}>
          <option value="">all</option>
          {tag && !tags?.some((each) => each.tag === tag) && <option value={tag}>{tag}</option>}
          {tags?.map((each) => (
            <option key={each.tag} value={each.tag}>
              {each.tag} ({countOf(each.count)})
            </option>
          ))}
        </SelectField>
        <SelectField label="Owner" {...facet('owner')}>
          <option value="">all</option>
          {members &&
            [...members.values()].map(({ userId, name, email }) => (
              <option key={userId} value={userId}>
                {name || email}
              </option>
            ))}
        </SelectField>
        {domains.length > 0 && (
          <SelectField label="Domain" {...facet('domain')}>
            <option value="">all</option>
            {domains.map(({ id, name, depth }) => (
              <option key={id} value={id}>
                {depth > 0 ? `– ${name}` : name}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField label="Certification" {...facet('certified')}>
          <option value="">all</option>
          <option value="yes">certified</option>
          <option value="no">not certified</option>
          <option value="deprecated">deprecated</option>
        </SelectField>
        <SelectField label="Order" {...facet('sort')}>
          <option value="">most used first</option>
          <option value="name">by name</option>
          <option value="recent">last changed first</option>
        </SelectField>
      </div>
      <ListTable
        label="Catalog"
        columns={columnsOf(members)}
        list={list}
        bars={8}
        keyOf={({ type: kind, id }) => `${kind} ${id}`}
      >
        <Empty icon="book-open" title={isFiltered ? 'Nothing matches' : 'There is nothing in the catalog yet'}>
          {isFiltered
            ? 'Choose fewer filters, or try a part of the name.'
            : 'Datasets, models, metrics, dashboards and all other objects appear here by themselves.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

const columnsOf = (members: ReadonlyMap<string, Member> | undefined): readonly Column<Asset>[] => [
  {
    id: 'name',
    label: 'Name',
    cell: ({ type, id, name, description, isCertified, deprecation }) => (
      <span class="named" title={description || undefined}>
        <Icon name={typeOf(objectType(type)).icon} size={16} />
        <Link to={cardOf(type, id)}>{name}</Link>
        {isCertified && <Mark kind="certified" />}
        {deprecation && <Mark kind="deprecated" />}
      </span>
    ),
  },
  { id: 'kind', label: 'Kind', width: '120px', cell: ({ type }) => typeOf(objectType(type)).label },
  {
    id: 'tags',
    label: 'Tags',
    width: '180px',
    isMinor: true,
    cell: ({ tags }) =>
      tags.map((tag) => (
        <Link key={tag} to="/catalog" query={{ tag }} class="tag">
          {tag}
        </Link>
      )),
  },
  {
    id: 'owner',
    label: 'Owner',
    width: '150px',
    isMinor: true,
    cell: ({ ownerIds }) =>
      ownerIds.map((id) => members?.get(id)?.name ?? 'a former member').join(', ') || <span class="hint">–</span>,
  },
  {
    id: 'used',
    label: 'Used',
    width: '110px',
    isNumber: true,
    isMinor: true,
    cell: ({ usage: { views30d, queries30d } }) => (
      <span title={`${counted(views30d, 'view')} and ${counted(queries30d, 'query', 'queries')} in 30 days`}>
        <Count of={views30d + queries30d} />
      </span>
    ),
  },
  { id: 'changed', label: 'Changed', width: '130px', isMinor: true, cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];
