import type { Me } from '../data/me.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { signOut } from './commands.ts';
import { chooseTheme, THEMES, theme } from './theme.ts';

const THEME_LABELS = { system: 'System theme', light: 'Light', dark: 'Dark' } as const;

/** The person, the theme, and the way out. */
export const AccountMenu = ({ me: { user } }: { me: Me }) => (
  <Menu
    label={`Account of ${user.name}`}
    isRight
    class="icon-only"
    choices={[
      THEMES.map((each) => ({
        label: THEME_LABELS[each],
        isChosen: theme.value === each,
        run: () => chooseTheme(each),
      })),
      [{ label: 'Sign out', icon: 'log-out', hint: user.email, run: () => void signOut() }],
    ]}
  >
    <Icon name="user" />
  </Menu>
);
