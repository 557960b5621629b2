import { useEntitlements } from '../data/entitlements.ts';
import { to } from '../ui/address.ts';
import { Icon } from '../ui/icon.tsx';
import { preloadScreen } from './lazy-screen.tsx';
import { navigation } from './registry.ts';
import type { Screen } from './screen.ts';

const HEADINGS = { home: '', read: 'Read', data: 'Data', run: 'Run', watch: 'Watch', settings: '' } as const;

interface NavigationProps {
  path: string;
  current: Screen | undefined;
}

/** The links to the screens that the person can use, in groups. */
export function Navigation({ path, current }: NavigationProps) {
  // What it offers follows from it.
  useEntitlements();
  return (
    <nav class="side" aria-label="Screens">
      {navigation().map(({ group, screens, closed }) => (
        <div key={group}>
          {HEADINGS[group] && <h2>{HEADINGS[group]}</h2>}
          <ul>
            {screens.map(({ path: own, title, nav }) => (
              <li key={own}>
                <a
                  href={to(own)}
                  aria-current={isAt(path, own, current) ? 'page' : undefined}
                  onPointerEnter={() => preloadScreen(own)}
                  onFocus={() => preloadScreen(own)}
                >
                  <Icon name={nav!.icon} />
                  <span>{title}</span>
                  <span class="keys" aria-hidden="true">
                    g {nav!.key}
                  </span>
                </a>
              </li>
            ))}
          </ul>
          {closed.map((text) => (
            <p key={text} class="side-note">
              {text}
            </p>
          ))}
        </div>
      ))}
      <div class="side-end">
        <ul>
          <li>
            <a href="/api/docs/guides" target="_blank" rel="noopener">
              <Icon name="book-open" />
              <span>Docs</span>
              <Icon name="external-link" size={14} />
            </a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** Also for the screens below it. */
const isAt = (path: string, own: string, current: Screen | undefined): boolean =>
  current?.path === own || (own !== '/' && path.startsWith(`${to(own)}/`));
