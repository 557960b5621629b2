import { useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { recentItems } from '../../data/recent.ts';
import { useMayUpload } from '../../data/upload.ts';
import { ObjectLink } from '../../shell/object-link.tsx';
import { typeOf } from '../../shell/types.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { readConcerns } from './attention.ts';
import { Drop } from './drop.tsx';
import { newDashboards } from './recent-dashboards.ts';

const EVERY_MS = 60_000;

export default function Home() {
  const name = useMe().data?.user.name;
  const { mayUpload, problem, refresh } = useMayUpload();
  return (
    <Page title={name ? `Welcome, ${name}` : 'Home'}>
      {problem && <Failed problem={problem} retry={refresh} />}
      {mayUpload && <Drop />}
      <div class="home-parts">
        <Attention />
        <Recent />
      </div>
    </Page>
  );
}

function Attention() {
  const { data, error, isLoading, refresh } = useQuery(['attention'], readConcerns, { everyMs: EVERY_MS });
  return (
    <Section title="Needs attention">
      {isLoading && <Loading rows={4} />}
      {!data && error && <Failed problem={problemOf(error)} retry={refresh} />}
      {data?.length === 0 && (
        <Empty icon="check" title="All is well">
          No run, webhook, source or test has needed attention in the last week.
        </Empty>
      )}
      {data && data.length > 0 && (
        <ul class="list concerns">
          {data.map(({ type, id, title, text, at }) => (
            <li key={`${type} ${id}`}>
              <Icon name={typeOf(type).icon} label={typeOf(type).label} />
              <div>
                <p class="concern-title">
                  <ObjectLink type={type} id={id} name={title} />
                </p>
                <p class="hint">{text}</p>
              </div>
              <Ago at={at} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What the person has opened here, or else the newest dashboards. */
function Recent() {
  const opened = recentItems();
  const { data, error, isLoading, refresh } = useQuery(['dashboards', 'newest'], newDashboards, {
    enabled: opened.length === 0,
  });
  const items = opened.length > 0 ? opened : (data ?? []);
  return (
    <Section title={opened.length > 0 ? 'Recent' : 'Dashboards'}>
      {opened.length === 0 && isLoading && <Loading rows={4} />}
      {items.length === 0 && error && <Failed problem={problemOf(error)} retry={refresh} />}
      {items.length === 0 && data && (
        <Empty icon="clock" title="Nothing yet">
          What you open appears here.
        </Empty>
      )}
      <ul class="list recent">
        {items.map(({ type, id, name }) => (
          <li key={`${type} ${id}`}>
            <Icon name={typeOf(type).icon} />
            <ObjectLink type={type} id={id} name={name} />
            <span class="hint">{typeOf(type).label}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
