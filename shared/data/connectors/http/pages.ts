import { DataError } from '../../../platform/errors/data-error.ts';
import { cursorAt } from '../rows/json-records.ts';
import type { HttpPagination } from './config.ts';

interface Page {
  url: string;
  text: string;
  records: number;
  /** The `Link` header of the response. */
  link: string | string[] | undefined;
}

/** The URL of the next page; undefined after the last one. Throws FILE_UNREADABLE for a page on another host. */
export function nextPage(pagination: HttpPagination | undefined, page: Page): string | undefined {
  switch (pagination?.kind) {
    case undefined:
      return undefined;
    case 'link':
      return linkedPage(page);
    case 'page': {
      if (page.records === 0) return undefined;
      const url = new URL(page.url);
      const { parameter, first } = pagination;
      const current = Number(url.searchParams.get(parameter) ?? first);
      return withParameter(url, parameter, String(current + 1));
    }
    case 'cursor': {
      const cursor = cursorAt(page.text, pagination.cursor);
      return cursor === undefined ? undefined : withParameter(new URL(page.url), pagination.parameter, cursor);
    }
  }
}

/** Every request carries the credential, so a page on another host is not requested. */
function linkedPage({ url, link }: Page): string | undefined {
  const links = [link ?? '']
    .flat()
    .join(', ')
    .split(/,\s*(?=<)/);
  const [, target] = links.map((each) => /^\s*<([^<>]*)>(.*)$/.exec(each)).find((each) => isNext(each?.[2])) ?? [];
  if (target === undefined) return undefined;
  const next = URL.parse(target, url);
  if (next?.origin !== new URL(url).origin) {
    throw new DataError('FILE_UNREADABLE', 'The next page is on another host than the one before.');
  }
  return next.href;
}

/** `rel` may name several relations. */
const isNext = (parameters = '') =>
  parameters.split(';').some((each) => /^\s*rel=(next|"([^"]*\s)?next(\s[^"]*)?")\s*$/i.test(each));

function withParameter(url: URL, name: string, value: string): string {
  url.searchParams.set(name, value);
  return url.href;
}
