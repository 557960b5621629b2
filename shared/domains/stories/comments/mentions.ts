/** Someone whom a comment mentions: the id of a user, or `group:` and the id of a group. */
export type MentionId = string;

const TOKEN = /@\[([^\]\n]{1,200})\]\((user|group):([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)/g;

/**
 * Whom the tokens in a text mention, such as `@[Ada](user:…)` or `@[Finance](group:…)`; each once, in the order of the
 * text.
 */
export const mentionsIn = (content: string): MentionId[] => [
  ...new Set(Array.from(content.matchAll(TOKEN), ([, , type, id]) => (type === 'group' ? `group:${id}` : id!))),
];

/** The text as people read it, with names as they were written. */
export const plainText = (content: string): string => content.replaceAll(TOKEN, '@$1');

/** The id of the group of a mention; undefined for one of a user. */
export const groupOf = (mention: MentionId): string | undefined =>
  mention.startsWith('group:') ? mention.slice('group:'.length) : undefined;
