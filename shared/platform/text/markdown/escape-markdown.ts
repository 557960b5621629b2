/** A plain text as Markdown that shows it as it is. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
    .replaceAll(/^[ \t]+/gm, (spaces) => '\u00a0'.repeat(spaces.length));
