import type { EventEnvelope } from '../../../../shared/domains/events/events/index.ts';
import { type ChatMessage, chatMessage } from '../../../../shared/platform/text/chat-message.ts';
import { markup } from '../../../../shared/platform/text/chat-text.ts';
import { type ChatSummary, minute, SUMMARIES } from './chat-summaries.ts';

/** The event as a message for the incoming webhook of a chat tool. */
export function eventMessage(envelope: EventEnvelope): ChatMessage {
  const when = markup`${minute(envelope.timestamp)}`;
  const about = 'url' in envelope.data ? markup`${when} · ${envelope.data.url}` : when;
  return chatMessage({ ...summaryOf(envelope), about });
}

function summaryOf({ event, data }: EventEnvelope): ChatSummary {
  try {
    return (SUMMARIES[event] as (data: EventEnvelope['data']) => ChatSummary)(data);
  } catch {
    // During an upgrade an event of another version may arrive. Show its name rather than stop the stream.
    return { headline: markup`${event}`, fields: [] };
  }
}
