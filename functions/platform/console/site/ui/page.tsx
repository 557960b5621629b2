import type { ComponentChildren } from 'preact';

interface PageProps {
  title: string;
  /** Beside the title, such as a status. */
  mark?: ComponentChildren;
  lead?: ComponentChildren;
  /** At the right of the title, the main one last. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The content of a screen under its title. */
export const Page = ({ title, mark, lead, actions, children }: PageProps) => (
  <div class="page">
    <header class="page-head">
      <div class="page-title">
        <h1>{title}</h1>
        {mark}
      </div>
      {actions && <div class="actions">{actions}</div>}
      {lead && <p class="lead">{lead}</p>}
    </header>
    {children}
  </div>
);

interface SectionProps {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a screen, on a surface of its own. */
export const Section = ({ title, actions, children }: SectionProps) => (
  <section class="section">
    <header>
      <h2>{title}</h2>
      {actions}
    </header>
    {children}
  </section>
);
