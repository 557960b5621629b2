import { signal } from '@preact/signals';

/** Something that was done, and how to undo and redo it. */
export interface Step {
  label: string;
  undo(): Promise<void> | void;
  redo(): Promise<void> | void;
}

const MAX_STEPS = 50;

/** The last steps of an editor. A step that cannot be undone, because something has changed since, is dropped. */
export class BoardHistory {
  readonly undoable = signal<readonly Step[]>([]);
  readonly redoable = signal<readonly Step[]>([]);

  add(step: Step): void {
    this.undoable.value = [...this.undoable.peek(), step].slice(-MAX_STEPS);
    this.redoable.value = [];
  }

  async undo(): Promise<Step | undefined> {
    const step = this.undoable.peek().at(-1);
    if (!step) return undefined;
    this.undoable.value = this.undoable.peek().slice(0, -1);
    await step.undo();
    this.redoable.value = [...this.redoable.peek(), step];
    return step;
  }

  async redo(): Promise<Step | undefined> {
    const step = this.redoable.peek().at(-1);
    if (!step) return undefined;
    this.redoable.value = this.redoable.peek().slice(0, -1);
    await step.redo();
    this.undoable.value = [...this.undoable.peek(), step];
    return step;
  }
}
