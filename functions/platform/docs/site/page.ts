import { connectSearch } from './search.ts';

/** The interactive parts of every page: search, copying code, and the position in the table of contents. */
connectSearch();
for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) addCopyButton(figure);
followReading();

function addCopyButton(figure: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code')!.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  figure.append(button);
}

/** Highlights the current section in the table of contents. */
function followReading(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('nav.contents a')].map((link) => [link.hash.slice(1), link]),
  );
  const headings = [...document.querySelectorAll<HTMLElement>('.text h2[id], .text h3[id]')];
  if (links.size === 0) return;
  const mark = () => {
    const reached = headings.filter((heading) => heading.getBoundingClientRect().top < 120).at(-1) ?? headings[0];
    for (const [id, link] of links) {
      if (id === reached?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
}
