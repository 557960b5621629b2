import { useLocation } from 'preact-iso/router';

interface PageLinksProps {
  pages: readonly { id: string; name: string; isHidden: boolean }[];
  current: string | undefined;
}

/** The pages of a dashboard, with the filters that are chosen. Nothing where there is only one. */
export function PageLinks({ pages, current }: PageLinksProps) {
  const { route } = useLocation();
  const shown = pages.filter(({ id, isHidden }) => !isHidden || id === current);
  if (shown.length < 2) return null;
  return (
    <nav class="tabs pages" aria-label="Pages">
      {shown.map(({ id, name }) => (
        <a
          key={id}
          href={addressOf(id)}
          aria-current={id === current ? 'page' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            // The filters are those of now: the scripts of a board change the address by themselves.
            route(addressOf(id));
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function addressOf(page: string): string {
  const address = new URL(location.href);
  address.searchParams.set('page', page);
  for (const name of ['selection', 'drill', 'bookmark']) address.searchParams.delete(name);
  return address.pathname + address.search;
}
