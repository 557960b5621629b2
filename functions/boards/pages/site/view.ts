/**
 * Defines `<analytics-view>` for the pages that embed a dashboard. Other sites load this file: it depends on nothing
 * else.
 */

const START_HEIGHT = 400;
const MAX_HEIGHT = 20_000;
const EARLY_MS = 60_000;
const RETRY_MS = 15_000;
/**
 * No top navigation and no forms. Links in texts open windows of their own; the token decides whether the view offers
 * downloads.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-downloads allow-popups allow-popups-to-escape-sandbox';

const script = document.currentScript as HTMLScriptElement | null;
const style = new CSSStyleSheet();
style.replaceSync(':host{display:block}iframe{display:block;width:100%;border:0}');

class AnalyticsView extends HTMLElement {
  static readonly observedAttributes = ['src', 'token', 'theme', 'height', 'title'];
  /** Returns a new token before the current one expires; without it, the page handles the event `token-expiring`. */
  refreshToken: (() => Promise<string> | string) | undefined;

  readonly #frame = document.createElement('iframe');
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    this.#frame.setAttribute('sandbox', SANDBOX);
    // The view compares this origin with the allowed ones before it sends its height there.
    this.#frame.referrerPolicy = 'origin';
    root.append(this.#frame);
  }

  connectedCallback(): void {
    addEventListener('message', this.#receive);
    this.#open();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#receive);
    clearTimeout(this.#timer);
    this.#isReady = false;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (name === 'token' && this.#isReady && now)
      this.#frame.contentWindow?.postMessage({ type: 'token', token: now }, this.#origin);
    else if (name === 'height' || name === 'title') this.#fit();
    else this.#open();
  }

  /** The origin of the platform: that of `src`, or of this script. */
  get #origin(): string {
    return new URL(this.getAttribute('src') || script?.src || location.href, location.href).origin;
  }

  #open(): void {
    const [token, theme] = [this.getAttribute('token'), this.getAttribute('theme')];
    clearTimeout(this.#timer);
    this.#isReady = false;
    this.#fit();
    if (!token) return;
    const query = theme ? `?theme=${encodeURIComponent(theme)}` : '';
    this.#frame.src = `${this.#origin}/api/e/${encodeURIComponent(token)}${query}`;
  }

  #fit(height = START_HEIGHT): void {
    const fixed = Number(this.getAttribute('height'));
    this.#frame.title = this.title || 'Analytics';
    this.#frame.style.height = `${Math.min(MAX_HEIGHT, fixed > 0 ? fixed : height)}px`;
  }

  readonly #receive = ({ source, origin, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || origin !== this.#origin || data?.view !== 'analytics') return;
    if (data.type === 'height' && data.height > 0) this.#fit(Number(data.height));
    if (data.type === 'ready') {
      this.#isReady = true;
      const left = Date.parse(data.expiresAt) - Date.now();
      this.#refreshIn(Math.max(left - EARLY_MS, left / 2));
      this.dispatchEvent(new CustomEvent('ready'));
    }
    if (data.type === 'expired') this.#refreshIn(0);
  };

  #refreshIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), ms);
  }

  async #refresh(): Promise<void> {
    this.dispatchEvent(new CustomEvent('token-expiring', { bubbles: true }));
    if (!this.refreshToken) return;
    try {
      this.setAttribute('token', await this.refreshToken());
    } catch (error) {
      this.dispatchEvent(new CustomEvent('token-error', { detail: error, bubbles: true }));
      if (this.isConnected) this.#refreshIn(RETRY_MS);
    }
  }
}

if (!customElements.get('analytics-view')) customElements.define('analytics-view', AnalyticsView);
