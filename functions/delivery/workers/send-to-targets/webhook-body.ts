import type { TargetContent } from './target-content.ts';

/** The body for a target of type `webhook`. Unlike an event of a webhook, it has no member `event`. */
export function webhookBody({
  kind,
  object,
  url,
  cards,
  workspaceName: _workspace,
  ...content
}: TargetContent): object {
  return {
    type: 'delivery',
    ...content,
    object: { kind: kind.name, ...object, url },
    cards: cards.map(({ title, lines }) => ({ title, text: lines.join('\n') })),
  };
}
