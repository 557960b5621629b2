import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = { csharp, go, java, javascript, json, php, python, ruby, sh: bash, sql, typescript, yaml };

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\S+)/;

/** Renders code as HTML. For `http`, the first line is a method and a path, and the rest a JSON body. */
export function highlight(code: string, language: string, linkOf: (operation: string) => string | undefined): string {
  if (language === 'http') return highlightRequest(code, linkOf);
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}

function highlightRequest(code: string, linkOf: (operation: string) => string | undefined): string {
  const [line, method, path] = REQUEST_LINE.exec(code) ?? [];
  if (line === undefined || method === undefined || path === undefined) return escapeHtml(code);
  const href = linkOf(line);
  const target = href === undefined ? escapeHtml(path) : `<a href="${escapeHtml(href)}">${escapeHtml(path)}</a>`;
  const rest = code.slice(line.length);
  const body = /^\s*[{[]/.test(rest) ? highlight(rest, 'json', linkOf) : escapeHtml(rest);
  return `<span class="hljs-keyword">${method}</span> ${target}${body}`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
