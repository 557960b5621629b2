import { Icon } from '../../ui/icon.tsx';

/** What the catalog says about an object that can be trusted. */
export const Certified = () => (
  <span class="certified" title="Certified">
    <Icon name="shield-check" size={14} />
    <span>Certified</span>
  </span>
);
