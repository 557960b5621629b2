import { useEffect, useRef, useState } from 'preact/hooks';
import { config } from './config.ts';
import { NotLoaded } from './lazy-part.tsx';
import { loadScript } from './loading.ts';
import { Loading } from './states.tsx';
import type { Mark, YamlEditor } from './yaml-editor.ts';

interface YamlBoxProps {
  label: string;
  /** What the editor begins with. */
  text: string;
  isReadOnly: boolean;
  marks: readonly Mark[];
  onChange(text: string): void;
  /** Once it is loaded. */
  onReady(editor: YamlEditor): void;
}

/** An editor of YAML, which is loaded when it is first shown. */
export function YamlBox({ label, text, isReadOnly, marks, onChange, onReady }: YamlBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const change = useRef(onChange);
  change.current = onChange;
  const [editor, setEditor] = useState<YamlEditor>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    let made: YamlEditor | undefined;
    let isShown = true;
    loadScript(() => import('./yaml-editor.ts')).then(({ YamlEditor: Editor }) => {
      if (!isShown) return;
      const choices = { label, nonce: config.nonce, text, isReadOnly };
      made = new Editor(box.current!, { ...choices, onChange: (next) => change.current(next) });
      setEditor(made);
      onReady(made);
    }, setError);
    return () => {
      isShown = false;
      made?.destroy();
    };
  }, []);
  useEffect(() => editor?.mark(marks), [editor, marks]);
  return (
    <>
      {error ? <NotLoaded error={error} /> : !editor && <Loading rows={10} />}
      <div ref={box} class="yaml-box" hidden={!editor} />
    </>
  );
}
