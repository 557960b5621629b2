import { useState } from 'preact/hooks';
import type { Types } from '../../../data/client.ts';
import { CardPicker } from '../../../shell/card-picker.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { INSERTABLE, type InsertProps } from './insertion.ts';

/** A card of a dashboard as a live block: it follows the card. */
export function InsertCard({ close }: InsertProps) {
  const [chosen, choose] = useState<{ dashboardId: string; card: Types.DashboardCard }>();
  const pick = async () => {
    if (!chosen) return false;
    const { dashboardId, card } = chosen;
    const source = { kind: 'card', dashboardId, cardId: card.id };
    close({ type: 'liveBlock', attrs: { source, ...(card.title && { title: card.title }) } });
    return false;
  };
  return (
    <Dialog title={INSERTABLE.card} close={() => close()} action="Insert" isIncomplete={!chosen} submit={pick}>
      <p>It shows each reader the current rows that they may see, as the dashboard does.</p>
      <CardPicker choose={choose} />
    </Dialog>
  );
}
