import { apiAddress, openInBrowser } from '../browser.ts';
import { command, type Session } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';

/** The pages that show objects of a kind. */
const PAGES = {
  dashboard: { resource: 'dashboards', path: 'd' },
  story: { resource: 'stories', path: 'd/stories' },
} as const;

export const open = command<object, [wanted?: string]>({
  brief: 'Open the documentation of the API, or the page of a dashboard or story, in the browser',
  fullDescription: 'Prints the address. Without a terminal, it opens nothing.',
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          brief: 'Such as dashboard/sales: a kind with a key, name or id',
          parse: String,
          placeholder: 'kind/name',
          optional: true,
        },
      ],
    },
  },
  async run(session, _, wanted) {
    const { target, terminal, process } = session;
    const address = `${apiAddress(target.url)}/${wanted === undefined ? 'docs' : await pageOf(session, wanted)}`;
    if (terminal.isJson) return terminal.out(JSON.stringify({ url: address }));
    terminal.out(address);
    if (terminal.isInteractive) openInBrowser(address, process);
  },
});

async function pageOf({ api, signal }: Session, wanted: string): Promise<string> {
  const [kind = '', ...words] = wanted.split('/');
  const page = Object.hasOwn(PAGES, kind) ? PAGES[kind as keyof typeof PAGES] : undefined;
  if (!page || words.length === 0) {
    const known = Object.keys(PAGES).map((each) => `${each}/NAME`);
    throw new CommandError(EXIT.usage, `Only these kinds have pages: ${known.join(', ')}.`, 'KIND_UNKNOWN');
  }
  const id = await idOf(api[page.resource], kind, words.join('/'), { signal });
  return `${page.path}/${id}`;
}
