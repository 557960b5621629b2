/**
 * The looks of the elements of an email. They stand at each element, because some programs read no style sheets, and
 * the style sheet has those of dark mode, which need one.
 */
const LOOKS = {
  body: 'margin:0 auto;max-width:36em;padding:1.5em;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;color:#1f2328;background:#ffffff',
  button:
    'display:inline-block;padding:0.6em 1.2em;border-radius:6px;background:#0b57d0;color:#ffffff;text-decoration:none;font-weight:600',
  code: 'display:block;padding:0.8em;border-radius:6px;background:#f3f4f6;font:14px/1.5 monospace',
  heading: 'margin:0 0 0.5em;font-size:20px;line-height:1.3;font-weight:600',
  blocks: 'width:100%;border-collapse:collapse;margin:1em 0',
  block: 'padding:14px 0;border-top:1px solid #d0d7de;vertical-align:top',
  name: 'font-weight:600',
  value: 'font-size:26px;line-height:1.3;font-weight:600',
  rows: 'width:100%;border-collapse:collapse;margin:6px 0;font-size:13px',
  head: 'padding:4px 8px 4px 0;color:#59636e;font-weight:600;border-bottom:1px solid #d0d7de',
  cell: 'padding:4px 8px 4px 0;border-bottom:1px solid #eaeef2',
  picture: 'display:block;width:100%;height:auto;margin:8px 0 0;border:0;border-radius:6px;background:#ffffff',
  quiet: 'color:#59636e;font-size:14px',
  good: 'font-size:14px;color:#116329',
  bad: 'font-size:14px;color:#a40e26',
  plain: 'font-size:14px;color:#59636e',
  link: 'color:#0b57d0',
  h2: 'margin:10px 0 4px;font-size:18px;line-height:1.3;font-weight:600',
  h3: 'margin:10px 0 4px;font-size:16px;line-height:1.3;font-weight:600',
  text: 'margin:6px 0',
  list: 'margin:6px 0;padding-left:1.5em',
  quote: 'margin:6px 0;padding-left:12px;border-left:3px solid #d0d7de;color:#59636e',
  inline: 'padding:1px 4px;border-radius:4px;background:#f3f4f6;font:14px monospace',
  pre: 'margin:6px 0;padding:10px;border-radius:6px;background:#f3f4f6;font:13px/1.5 monospace;white-space:pre-wrap',
  rule: 'margin:12px 0;border:0;border-top:1px solid #d0d7de',
} as const;

export type MailLook = keyof typeof LOOKS;

const LINES = '#3d444d';
const RAISED = '#21262d';
const MUTED = '#a6b0bb';

/** What differs in dark mode. */
const DARK: Readonly<Partial<Record<MailLook, string>>> = {
  body: 'color:#e6edf3;background:#14181d',
  button: 'background:#8ab4f8;color:#10151b',
  code: `background:${RAISED}`,
  block: `border-color:${LINES}`,
  head: `color:${MUTED};border-color:${LINES}`,
  cell: `border-color:${LINES}`,
  quiet: `color:${MUTED}`,
  plain: `color:${MUTED}`,
  good: 'color:#56d364',
  bad: 'color:#ff9a93',
  link: 'color:#8ab4f8',
  quote: `color:${MUTED};border-color:${LINES}`,
  inline: `background:${RAISED}`,
  pre: `background:${RAISED}`,
  rule: `border-color:${LINES}`,
};

const CLASS = 'm-';

/** The attributes of an element with the look; `more` is for this element alone. */
export const looks = (look: MailLook, more = ''): string =>
  `class="${CLASS}${look}" style="${LOOKS[look]}${more && `;${more}`}"`;

const important = (css: string): string => css.replaceAll(/(?=;|$)/g, ' !important');

/** Programs without dark mode ignore it, and those with one of their own do not invert what says that it has both. */
export const DARK_MODE = `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><style>:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){html{background:#14181d}${Object.entries(
  DARK,
)
  .map(([look, css]) => `.${CLASS}${look}{${important(css)}}`)
  .join('')}}</style>`;
