import type { Behaviour, Walk, Walked } from '../walk-types.ts';
import { axeRuns, issuesOfLongTexts, issuesOfPage } from './check.ts';
import { issuesOfLayout } from './layout.ts';
import { pending, replied, replyAs, unknown } from './replies.ts';

const BASE = '/api/console';
/** Screens show that they load after a moment. */
const HANGING_MS = 220;
const TICK_MS = 12;
/** So long nothing may change before a screen is looked at. */
const QUIET_MS = 48;
const MAX_WAIT_MS = 20_000;
const MAX_TABS = 12;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let changedAt = 0;

/** Waits until everything is read and drawn. Resolves to whether it was. */
async function settled({ isHanging }: Pick<Walk, 'isHanging'>): Promise<boolean> {
  if (isHanging) {
    await pause(HANGING_MS);
    return true;
  }
  const until = performance.now() + MAX_WAIT_MS;
  changedAt = performance.now();
  for (;;) {
    await pause(TICK_MS);
    const now = performance.now();
    const isBusy = pending > 0 || busyPart() !== undefined;
    if (!isBusy && now - changedAt > QUIET_MS) return true;
    if (now > until) return false;
  }
}

/** A button may be busy with what runs in the data, and what is beyond the window is read when it is looked at. */
const busyPart = (): Element | undefined =>
  [...document.querySelectorAll('[aria-busy=true]:not(button)')].find(
    (element) => element.getBoundingClientRect().top < innerHeight,
  );

function open(path: string): void {
  const link = document.createElement('a');
  link.href = BASE + (path === '/' ? '' : path);
  document.body.append(link);
  link.click();
  link.remove();
}

/** What the screens showed. */
const shown = new Set<string>();

async function look(where: string, walk: Walk, walked: Walked): Promise<void> {
  if (!(await settled(walk))) {
    walked.issues.push(`${where}: still busy with ${busyPart()?.outerHTML.slice(0, 200)}`);
    return;
  }
  await (globalThis as { takePicture?: (name: string) => Promise<void> }).takePicture?.(where);
  walked.looks += 1;
  shown.add(document.querySelector('main')!.innerHTML);
  const found = await issuesOfPage(walk.rules);
  if (walk.isDeep) found.push(...issuesOfLayout());
  if (walk.hasLongTexts) found.push(...issuesOfLongTexts().map((issue) => `with longer texts ${issue}`));
  walked.issues.push(...found.map((issue) => `${where}: ${issue}`));
}

/** The tabs of the screen that were not opened yet. */
const nextTab = (opened: ReadonlySet<string>): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main [role=tab]')].find((tab) => !opened.has(keyOf(tab)));

const keyOf = (tab: HTMLElement): string =>
  `${tab.closest('[role=tablist]')!.getAttribute('aria-label')} ${tab.firstChild?.textContent}`;

/** The parts of the settings, and one record of each, as far as the screen has links to them. */
function partsHere(): string[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')].map(({ pathname }) => pathname);
  const parts = new Map<string, string>();
  for (const path of links) {
    const [, part, id] = /^\/api\/console\/settings\/([\w-]+)(\/[^/]+)?$/.exec(path) ?? [];
    const key = `${part}${id && '/'}`;
    if (part !== undefined && !parts.has(key)) parts.set(key, path.slice(BASE.length));
  }
  return [...parts.values()];
}

async function walkScreens(walk: Walk): Promise<Walked> {
  const walked: Walked = { issues: [], looks: 0, axeRuns: 0, pages: 0 };
  const paths = [...walk.paths];
  const keys = new Set(paths.map(keyOfPart));
  await settled(walk);
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    const before = replied;
    open(path);
    await look(path, walk, walked);
    const hasAsked = replied > before;
    const mustSay = walk.failure && hasAsked && !walk.silent.includes(path);
    if (mustSay && !document.querySelector('main')!.textContent.includes(walk.failure!)) {
      walked.issues.push(`${path}: does not say what failed`);
    }
    if (path.startsWith('/settings')) {
      for (const part of partsHere()) {
        if (!keys.has(keyOfPart(part))) paths.unshift(part);
        keys.add(keyOfPart(part));
      }
    }
    if (!walk.isDeep) continue;
    const opened = new Set(
      [...document.querySelectorAll<HTMLElement>('main [role=tab][aria-selected=true]')].map(keyOf),
    );
    for (let tab = nextTab(opened); tab && opened.size < MAX_TABS; tab = nextTab(opened)) {
      opened.add(keyOf(tab));
      tab.click();
      await look(`${path} (${tab.firstChild?.textContent})`, walk, walked);
    }
  }
  walked.axeRuns = axeRuns;
  walked.pages = shown.size;
  walked.issues.push(...new Set(unknown.map((request) => `asked for ${request}, which the API does not have`)));
  return walked;
}

/** Records of the same part are alike. */
const keyOfPart = (path: string): string =>
  path.startsWith('/settings/') ? path.replace(/(?<=^\/settings\/[\w-]+\/).+/, '') : path;

Object.assign(globalThis, {
  walkScreens,
  replyAs: (behaviour: Behaviour) => {
    replyAs(behaviour);
    new MutationObserver(() => {
      changedAt = performance.now();
    }).observe(document, { subtree: true, childList: true, characterData: true });
  },
});
