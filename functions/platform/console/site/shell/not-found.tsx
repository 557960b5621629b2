import { Link } from '../ui/link.tsx';
import { Empty } from '../ui/states.tsx';

export const NotFound = () => (
  <Empty isPage icon="search" title="There is no such page" action={<Link to="/">Go to Home</Link>}>
    The address may be mistyped, or the page may have moved.
  </Empty>
);
