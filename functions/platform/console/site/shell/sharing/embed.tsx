import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/client.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { besides, issueOf, problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { type Attributes, attributesOf, type SharedObject, type TypedAttribute } from '../../data/sharing.ts';
import { Button } from '../../ui/button.tsx';
import { copy } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { ExternalLink } from '../../ui/link.tsx';
import { Section } from '../../ui/page.tsx';
import { Failed, Issue, Loading, NotAllowed } from '../../ui/states.tsx';
import { AttributeFields } from './attribute-fields.tsx';

interface EmbedProps {
  shared: SharedObject;
  preview: (attributes: Attributes) => ComponentChildren;
}

/** How another site shows the object to its own users: the sites that may, the code, and what a reader would see. */
export function Embed({ shared, preview }: EmbedProps) {
  const isAdmin = hasRole(useMe().data, 'admin');
  const [typed, setTyped] = useState<TypedAttribute[]>([{ name: '', values: '' }]);
  const attributes = attributesOf(typed);
  if (!isAdmin) {
    return (
      <NotAllowed title="Views are embedded by admins">
        An admin of the workspace can allow a site to show this to its users.
      </NotAllowed>
    );
  }
  return (
    <div class="sharing-part">
      <Section title="1. Allow the site">
        <Domains />
      </Section>
      <Section title="2. Create a token for each reader, on the server of the site">
        <p class="hint">
          The API key needs the scope admin, and stays on the server. Take attributes from your own sign-in, never from
          the browser.
        </p>
        <Code label="Code of the server" text={serverCode(shared, attributes)} />
      </Section>
      <Section title="3. Show the view">
        <Code label="Code of the page" text={pageCode(shared)} />
      </Section>
      <Section title="See it as a reader">
        <div class="beside">
          <AttributeFields value={typed} set={setTyped} />
          {shared.isPublished ? (
            <div class="audience">{preview(attributes)}</div>
          ) : (
            <p class="issue-box">Views show what is published, and this is a draft. Publish it first.</p>
          )}
        </div>
      </Section>
      <p>
        <ExternalLink href={`${location.origin}/docs`}>The embedding guide</ExternalLink> has Python, events and colors.
      </p>
    </div>
  );
}

const KEY = ['embed-domains'];

function Domains() {
  const domains = useQuery(KEY, async () => (await api.embedding.listDomains({ limit: 100 })).items);
  const [origin, setOrigin] = useState('');
  const change = useAction(
    async (_of: string, work: () => PromiseLike<unknown>) => {
      await work();
      await refreshQueries(KEY);
    },
    { isShared: true },
  );
  if (!domains.data) {
    return domains.error ? <Failed problem={problemOf(domains.error)} retry={domains.refresh} /> : <Loading rows={2} />;
  }
  return (
    <>
      <ul class="list domains">
        {domains.data.map((domain) => (
          <li key={domain.id}>
            <code>{domain.origin}</code>
            <Button
              isSmall
              aria-label={`Remove ${domain.origin}`}
              onClick={() => void change.run(domain.id, () => api.embedding.deleteDomain(domain.id))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {domains.data.length === 0 && <p class="hint">No site may show views of this workspace yet.</p>}
      <form
        class="add-person"
        onSubmit={async (event) => {
          event.preventDefault();
          if (await change.run(origin, () => api.embedding.createDomain({ origin: origin.trim() }))) setOrigin('');
        }}
      >
        <Field
          label="Origin of the site"
          required
          placeholder="https://app.example.com"
          autocomplete="off"
          issue={issueOf(change.problem, 'origin')}
          value={origin}
          onInput={({ currentTarget }) => setOrigin(currentTarget.value)}
        />
        <Button type="submit" isBusy={change.isRunning}>
          Allow
        </Button>
      </form>
      <Issue problem={besides(change.problem, ['origin'])} />
    </>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <div class="code-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys too. */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <Button
        isSmall
        icon="copy"
        aria-label={`Copy the ${label.toLowerCase()}`}
        onClick={() => void copy(text, 'The code is copied.')}
      >
        Copy
      </Button>
    </div>
  );
}

const serverCode = (
  { type, id }: SharedObject,
  attributes: Attributes,
): string => `const reply = await fetch('${location.origin}/api/embed/tokens', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.ANALYTICS_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify({
    contentType: '${type}',
    contentId: '${id}',
    attributes: ${JSON.stringify(attributes)},
    expiresIn: 600,
  }),
});
const { token } = await reply.json();`;

const pageCode = ({ name }: SharedObject): string => `<script src="${location.origin}/api/e/view.js" async></script>
<analytics-view token="em_…" title="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></analytics-view>`;
