import type { ComponentType } from 'preact';
import { useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading, NotAllowed } from '../../ui/states.tsx';
import type { PartProps } from './part-props.ts';
import { partsOf } from './parts.ts';

const opened = new Map<string, ComponentType<PartProps>>();

/** What a person sets for themselves, and admins for the workspace and the company. */
export default function Settings({ params: { part: asked, id }, query }: ScreenProps) {
  const { data: me, error, refresh } = useMe();
  if (!me) {
    return (
      <Page title="Settings">
        {error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />}
      </Page>
    );
  }
  const parts = partsOf(me);
  const part = asked === undefined ? parts[0]! : parts.find(({ key }) => key === asked);
  if (!part) {
    return (
      <NotAllowed isPage title="You cannot open these settings">
        They do not exist, or only admins may see them. <Link to="/settings">Your own settings</Link>
      </NotAllowed>
    );
  }
  if (!opened.has(part.key)) opened.set(part.key, lazyPart<PartProps>(part.load));
  const Part = opened.get(part.key)!;
  const groups = [...new Set(parts.map(({ group }) => group))];
  const choicesOf = (group: string): MenuChoice[] =>
    parts
      .filter((each) => each.group === group)
      .map(({ key, title }) => ({ label: title, isChosen: key === part.key, href: to(`/settings/${key}`) }));
  return (
    <Page title="Settings">
      <div class="settings-frame">
        {parts.length > 1 && (
          <nav aria-label="Settings">
            <div class="settings-menu">
              <Menu label={`Settings: ${part.title}`} class="bordered" choices={groups.map(choicesOf)}>
                {part.title}
                <Icon name="chevron-down" size={16} />
              </Menu>
            </div>
            {groups.map((group) => (
              <div key={group}>
                <h2>{group}</h2>
                <ul>
                  {parts
                    .filter((each) => each.group === group)
                    .map(({ key, title }) => (
                      <li key={key}>
                        <Link to={`/settings/${key}`} isCurrent={key === part.key}>
                          {title}
                        </Link>
                      </li>
                    ))}
                </ul>
              </div>
            ))}
          </nav>
        )}
        <div class="settings-part">
          <Part key={part.key} id={id} query={query} />
        </div>
      </div>
    </Page>
  );
}
