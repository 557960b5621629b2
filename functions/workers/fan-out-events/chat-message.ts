interface Envelope {
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
}

const MOST_FIELDS = 10;
const MOST_FIELD_CHARACTERS = 300;

/**
 * The event as a chat tool's incoming webhook takes it: `text` as the fallback, and blocks with a title and a compact
 * list of fields. Values are escaped, so that data cannot become a link or a mention.
 */
export function chatMessage({ event, timestamp, data }: Envelope): { text: string; blocks: object[] } {
  const title = event.replaceAll(/[._]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
  const fields = Object.entries(flat(data)).slice(0, MOST_FIELDS);
  return {
    text: `${escaped(title)}: ${fields.map(([name, value]) => `${name} ${value}`).join(', ')}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escaped(title)}*` } },
      ...(fields.length > 0
        ? [
            {
              type: 'section',
              fields: fields.map(([name, value]) => ({ type: 'mrkdwn', text: `*${name}*\n${value}` })),
            },
          ]
        : []),
      { type: 'context', elements: [{ type: 'mrkdwn', text: escaped(timestamp) }] },
    ],
  };
}

/** Scalars of the data by name, one level deep: `error.message`. */
function flat(data: Record<string, unknown>, prefix = ''): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(data)) {
    if (value === null || value === undefined) continue;
    if (typeof value === 'object') {
      if (prefix === '' && !Array.isArray(value))
        Object.assign(fields, flat(value as Record<string, unknown>, `${name}.`));
      continue;
    }
    fields[escaped(prefix + name)] = escaped(String(value).slice(0, MOST_FIELD_CHARACTERS));
  }
  return fields;
}

/** `&`, `<` and `>` are the control characters of the format; the others would start formatting. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, (mark) => `\u200b${mark}\u200b`)
    .replaceAll(/[\r\n]+/g, ' ');
}
