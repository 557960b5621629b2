import { escapeHtml } from './escape-html.ts';

/** A piece of HTML. Only `html` makes it, so that no text becomes markup by accident. */
export class Html {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** For the output of a library that escapes. */
  static trusted(text: string): Html {
    return new Html(text);
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

/**
 * Writes HTML. Texts are escaped; pieces of HTML and lists of them stay as they are; `false`, `null` and `undefined`
 * are nothing.
 */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  Html.trusted(String.raw({ raw: texts }, ...parts.map(renderPart)));

function renderPart(part: Part): string {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Html) return part.toString();
  if (Array.isArray(part)) return part.map(renderPart).join('');
  return escapeHtml(String(part).toWellFormed());
}

const ESCAPED_IN_SCRIPT = /[<>&\u2028\u2029]/g;

/** A value for a script of the page, as the content of `<script type="application/json">`. */
export const jsonForPage = (value: unknown): Html =>
  Html.trusted(
    JSON.stringify(value).replace(
      ESCAPED_IN_SCRIPT,
      (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
