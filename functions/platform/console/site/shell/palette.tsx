import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api } from '../data/client.ts';
import { problemOf } from '../data/problem.ts';
import { useQuery } from '../data/query.ts';
import { type Recent, recentItems, remember } from '../data/recent.ts';
import { BASE, to } from '../ui/address.ts';
import { useListKeys } from '../ui/combobox.tsx';
import { counted } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { leave } from '../ui/unsaved.ts';
import { type Command, commands } from './commands.ts';
import { layer } from './layers.ts';
import { addressOf } from './registry.ts';
import { typeOf } from './types.ts';

const PAUSE_MS = 120;
const MAX_FOUND = 8;
const MAX_COMMANDS = 6;

interface Choice extends Command {
  /** What the choice opens, which is then among the recent objects. */
  object?: Recent;
}

/** Finds objects, screens and commands by what is typed. */
export default function Palette() {
  const { route } = useLocation();
  const text = useSignal('');
  const asked = usePaused(text.value.trim());
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current!.showModal();
    return () => {
      dialog.current?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  const found = useQuery(['search', asked], () => api.search.find({ q: asked, limit: MAX_FOUND }), {
    enabled: asked !== '',
    keepsLast: true,
  });
  const words = text.value.trim().toLowerCase();
  const groups = useMemo(
    () => [
      { title: 'Recent', choices: words === '' ? recentChoices() : [] },
      {
        title: 'Objects',
        choices:
          words === '' ? [] : [...(found.data?.items ?? []).flatMap(choiceOf), ...everything(asked, found.data?.total)],
      },
      { title: words === '' ? 'Screens and commands' : 'Commands', choices: commandChoices(words) },
    ],
    [words, found.data],
  ).filter(({ choices }) => choices.length > 0);
  const all = groups.flatMap(({ choices }) => choices);
  useListKeys({ input: () => field.current, list: () => list.current, isShown: all.length > 0, options: groups });

  useEffect(() => {
    const element = list.current!;
    const onCommit = ({ target }: Event) => {
      const choice = all.find(({ id }) => idOf(id) === (target as HTMLElement).id);
      if (!choice) return;
      layer(null);
      if (choice.object) remember(choice.object);
      if (choice.run) choice.run();
      else if (choice.href!.startsWith(BASE)) leave(() => route(choice.href!));
      else location.assign(choice.href!);
    };
    element.addEventListener('combobox-commit', onCommit);
    return () => element.removeEventListener('combobox-commit', onCommit);
  });

  const isNothing = words !== '' && asked === text.value.trim() && found.data && all.length === 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; a click beside it does too.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onClose={() => layer(null)}
      onClick={({ target, currentTarget }) => target === currentTarget && layer(null)}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          ref={field}
          type="text"
          aria-label="Search for objects, screens and commands"
          placeholder="Search for objects, screens and commands"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <div ref={list} role="listbox" aria-label="Results" id="palette-list" class="palette-list">
        {groups.map(({ title, choices }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of choices.
          <div role="group" aria-label={title} key={title}>
            <p class="palette-title" aria-hidden="true">
              {title}
            </p>
            {choices.map((choice) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
              <div role="option" aria-selected="false" id={idOf(choice.id)} key={choice.id}>
                <Icon name={choice.icon} />
                <span class="palette-label">{choice.label}</span>
                {choice.hint && <span class="hint">{choice.hint}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p class="palette-note" role="status">
        {isNothing && 'Nothing was found.'}
        {asked !== '' && found.error && problemOf(found.error).sentence}
      </p>
    </dialog>
  );
}

const idOf = (id: string): string => `palette-${id}`;

function recentChoices(): Choice[] {
  return recentItems().flatMap(({ type, id, name }) => choiceOf({ type, id, name, parent: null }));
}

interface Found extends Recent {
  parent: { type: string; id: string; name: string } | null;
}

/** Parts are shown where their object is, such as fields in their model. */
function choiceOf({ type, id, name, parent }: Found): Choice[] {
  const href = addressOf(type, id) ?? (parent ? addressOf(parent.type, parent.id) : undefined);
  if (href === undefined) return [];
  const { label, icon } = typeOf(type);
  const hint = parent ? `${label} of ${parent.name}` : label;
  return [{ id: `${type} ${id}`, label: name, icon, hint, href, object: { type, id, name } }];
}

/** Leads to the screen with all results. */
function everything(asked: string, total = 0): Choice[] {
  if (total === 0) return [];
  return [
    {
      id: 'search',
      label: `All results for “${asked}”`,
      icon: 'search',
      hint: counted(total, 'result'),
      href: to('/search', { q: asked }),
    },
  ];
}

function commandChoices(words: string): Choice[] {
  const all = commands();
  if (words === '') return all;
  return all
    .filter(({ label }) => words.split(/\s+/).every((word) => label.toLowerCase().includes(word)))
    .slice(0, MAX_COMMANDS);
}

/** The text once it has not changed for a moment. */
function usePaused(text: string): string {
  const paused = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      paused.value = text;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused.value;
}
