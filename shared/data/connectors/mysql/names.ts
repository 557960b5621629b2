/** A MySQL identifier in backticks. */
export const quoteName = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** A string literal for the session's `sql_mode`, in which a backslash escapes. */
export const quoteText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
