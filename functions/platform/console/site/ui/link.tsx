import type { ComponentChildren } from 'preact';
import { to } from './address.ts';

interface LinkProps {
  /** Below the console, such as `/runs/1`. */
  to: string;
  query?: Readonly<Record<string, string | undefined>>;
  class?: string;
  /** In a navigation: it leads to what is shown. */
  isCurrent?: boolean;
  children: ComponentChildren;
}

/** A link to a screen, which opens without loading the page again. */
export const Link = ({ to: path, query, class: name, isCurrent, children }: LinkProps) => (
  <a href={to(path, query)} class={name} aria-current={isCurrent ? 'page' : undefined}>
    {children}
  </a>
);

/** A link to another site, which gets no access to this page, and whose host is shown. */
export const ExternalLink = ({ href, children }: { href: string; children: ComponentChildren }) => {
  const host = URL.parse(href)?.host;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" title={host}>
      {children}
    </a>
  );
};
