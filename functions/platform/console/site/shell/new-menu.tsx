import { useEntitlements } from '../data/entitlements.ts';
import { to } from '../ui/address.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { creations } from './registry.ts';

/** What the person can make here; absent if that is nothing. */
export function NewMenu() {
  // What it offers follows from it.
  useEntitlements();
  const choices = creations().map(({ path, creates }) => ({ label: creates!.label, href: to(path) }));
  if (choices.length === 0) return null;
  return (
    <Menu class="small" choices={[choices]}>
      <Icon name="plus" size={16} />
      <span>New</span>
    </Menu>
  );
}
