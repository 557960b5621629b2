import type { BoardDraft, CardChange, Conflict } from '../../data/board-draft.ts';
import { type Place, placeText } from '../../data/board-layout.ts';
import type { Card } from '../../data/boards.ts';
import { Button } from '../../ui/button.tsx';

const NAMES: Readonly<Record<string, string>> = {
  position: 'Place',
  title: 'Title',
  description: 'Description',
  chartSpec: 'Chart',
  savedQueryId: 'Query',
  textContent: 'Text',
  imageUrl: 'Image',
  value: 'Value',
  pageId: 'Page',
  cardType: 'Type',
};

/** A card that two people have changed: both versions, and the choice. */
export function ConflictBox({ draft, card, conflict }: { draft: BoardDraft; card: Card; conflict: Conflict }) {
  const { mine, theirs } = conflict;
  return (
    <div class="issue-box conflict" role="alert">
      <p>{theirs ? 'Another person has changed this card, too.' : 'Another person has deleted this card.'}</p>
      {theirs && (
        <dl>
          {Object.keys(mine).map((member) => (
            <div key={member}>
              <dt>{NAMES[member] ?? member}</dt>
              <dd>
                yours: {shown(member, mine[member as keyof CardChange])} · theirs:{' '}
                {shown(member, theirs[member as keyof CardChange])}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div class="actions">
        <Button isSmall onClick={() => draft.takeTheirs(card.id)}>
          {theirs ? 'Take theirs' : 'Delete it'}
        </Button>
        <Button isSmall look="main" onClick={() => void draft.keepMine(card.id)}>
          Keep mine
        </Button>
      </div>
    </div>
  );
}

function shown(member: string, value: unknown): string {
  if (member === 'position') return placeText(value as Place);
  if (value === null || value === '' || value === undefined) return 'nothing';
  if (typeof value === 'object') return (value as { mark?: { type: string } }).mark?.type ?? 'another one';
  const text = String(value);
  return text.length > 80 ? `${text.slice(0, 80)} …` : text;
}
