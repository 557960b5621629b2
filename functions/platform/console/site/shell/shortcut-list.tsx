import { Dialog } from '../ui/dialog.tsx';
import { shortcuts } from '../ui/shortcuts.ts';
import { layer } from './layers.ts';

/** The shortcuts of the screen and of the frame. */
export default function ShortcutList() {
  const rows = new Map(shortcuts().map(({ keys, label }) => [keys, label]));
  return (
    <Dialog title="Shortcuts" close={() => layer(null)}>
      <dl class="shortcuts">
        {[...rows].map(([keys, label]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
