import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../data/client.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { addressOf } from '../../shell/registry.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { typeOf } from '../../shell/types.ts';
import { to } from '../../ui/address.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';

type Result = Types.SearchResult;

const SIZE = 25;

/** What a search finds, by kind, and where it matches. */
export default function Search({ query }: ScreenProps) {
  const { q = '', type = '', certified = '', page = '1' } = query;
  const { route } = useLocation();
  const at = Math.max(1, Number(page) || 1);
  const { data, error, isLoading, isRefreshing, refresh } = useQuery(
    ['search', 'page', q, type, certified, at],
    () =>
      api.search
        .find({
          q,
          limit: SIZE,
          offset: (at - 1) * SIZE,
          ...(type && { type: type as 'metric' }),
          ...(certified && { certified: certified === 'yes' }),
        })
        .then(),
    { enabled: q !== '', keepsLast: true },
  );
  const show = (change: Record<string, string>) =>
    route(to('/search', { q, type, certified, page: '', ...change }), true);
  useEffect(() => {
    if (at > 1) document.querySelector('h1')?.scrollIntoView();
  }, [at]);
  return (
    <Page title="Search" lead={q !== '' && data ? leadOf(data) : undefined}>
      <div class="filters">
        <SearchField label="Search the workspace" value={q} onSearch={(text) => show({ q: text, type: '' })} />
        <SelectField
          label="Certification"
          value={certified}
          onChange={({ currentTarget: { value } }) => show({ certified: value })}
        >
          <option value="">all</option>
          <option value="yes">certified</option>
          <option value="no">not certified</option>
        </SelectField>
      </div>
      {q === '' && <Operators />}
      {q !== '' && !data && error !== null && <Failed problem={problemOf(error)} retry={refresh} />}
      {q !== '' && isLoading && <Loading rows={8} />}
      {q !== '' && data && (
        <div class="search" aria-busy={isRefreshing || undefined}>
          <Kinds facets={data.facets.type} current={type} choose={(next) => show({ type: next })} />
          <div class="results">
            <Notes results={data} show={show} />
            {data.items.length === 0 ? (
              <Empty icon="search" title="Nothing was found">
                Try fewer or other words. Only what you may see is searched.
              </Empty>
            ) : (
              <ol>
                {data.items.map((result) => (
                  <Found key={`${result.type} ${result.id} ${result.parent?.id}`} result={result} />
                ))}
              </ol>
            )}
            <Pages at={at} total={data.total} query={query} />
          </div>
        </div>
      )}
    </Page>
  );
}

const leadOf = ({ total, matching }: Types.SearchResults): string => {
  const found = counted(total, 'result');
  if (total === 0) return found;
  if (matching === 'fuzzy') return `${found}, with other spellings`;
  if (matching === 'any') return `${found}, with some of the words`;
  return matching === 'meaning' ? `${found}, by their meaning` : found;
};

/** How a search can be narrowed. */
const Operators = () => (
  <Empty icon="search" title="Search names and descriptions">
    Narrow a search by <code>type:dashboard</code> or <code>tag:finance</code>, find words that follow each other in{' '}
    <code>"double quotes"</code>, and leave out a word with a minus, as in <code>orders -returns</code>.
  </Empty>
);

interface KindsProps {
  facets: Readonly<Record<string, number>>;
  current: string;
  choose(type: string): void;
}

function Kinds({ facets, current, choose }: KindsProps) {
  const kinds = Object.entries(facets)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one);
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return null;
  return (
    <fieldset class="kinds" aria-label="Kinds">
      {[['', all] as const, ...kinds].map(([type, count]) => (
        <Button key={type} isSmall look="plain" aria-pressed={type === current} onClick={() => choose(type)}>
          {type === '' ? 'Everything' : typeOf(type).label} <span class="hint">{countOf(count)}</span>
        </Button>
      ))}
    </fieldset>
  );
}

function Notes({ results, show }: { results: Types.SearchResults; show(change: Record<string, string>): void }) {
  const { suggestion, omitted } = results;
  return (
    <>
      {suggestion !== null && (
        <p>
          Did you mean{' '}
          <button type="button" class="suggestion" onClick={() => show({ q: suggestion, type: '' })}>
            {suggestion}
          </button>
          ?
        </p>
      )}
      {omitted.length > 0 && (
        <p class="hint">
          There are too many objects to search of these kinds:{' '}
          {omitted.map((type) => typeOf(type).label.toLowerCase()).join(', ')}.
        </p>
      )}
    </>
  );
}

function Found({ result }: { result: Result }) {
  const { type, id, name, parent, snippet, isCertified, isDeprecated, updatedAt } = result;
  const { label, icon } = typeOf(type);
  // Parts are shown where their object is.
  const isPart = addressOf(type, id) === undefined && parent !== null;
  return (
    <li>
      <Icon name={icon} label={label} />
      <div>
        <p class="named">
          <strong>
            {isPart ? (
              <ObjectLink type={parent.type} id={parent.id} name={name} />
            ) : (
              <ObjectLink type={type} id={id} name={name} />
            )}
          </strong>
          {isCertified && <Mark kind="certified" />}
          {isDeprecated && <Mark kind="deprecated" />}
        </p>
        {snippet && <Snippet snippet={snippet} />}
        <p class="hint">
          {[label, parent && `of ${parent.name}`, whyOf(result)].filter(Boolean).join(' · ')} · changed{' '}
          <Ago at={updatedAt} />
        </p>
      </div>
    </li>
  );
}

const PLACES: Readonly<Record<string, string>> = {
  name: 'the name',
  aliases: 'another name',
  description: 'the description',
  context: 'where it is',
  columns: 'the names of columns',
  tags: 'a tag',
};

/** Where the words match. */
const whyOf = ({ matchedOn }: Result): string =>
  matchedOn.length === 0
    ? 'by its meaning'
    : `matches ${matchedOn.map((place) => PLACES[place] ?? place).join(' and ')}`;

function Snippet({ snippet: { text, marks } }: { snippet: Types.SearchSnippet }) {
  const parts = marks.flatMap(([from = 0, end = 0], index) => [
    text.slice(marks[index - 1]?.[1] ?? 0, from),
    <mark key={from}>{text.slice(from, end)}</mark>,
  ]);
  return (
    <p class="snippet">
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </p>
  );
}

interface PagesProps {
  at: number;
  total: number;
  query: Readonly<Record<string, string>>;
}

function Pages({ at, total, query }: PagesProps) {
  const last = Math.ceil(total / SIZE);
  if (last <= 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {at > 1 && (
        <Link to="/search" query={{ ...query, page: at === 2 ? '' : String(at - 1) }}>
          Previous
        </Link>
      )}
      <span class="hint">
        Page {at} of {countOf(last)}
      </span>
      {at < last && (
        <Link to="/search" query={{ ...query, page: String(at + 1) }}>
          Next
        </Link>
      )}
    </nav>
  );
}
