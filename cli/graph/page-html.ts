import { createHash } from 'node:crypto'
import type { PageData } from '../../page/page-data.ts'
import { printable } from '../../src/printable.ts'
import { PAGE_SCRIPT, PAGE_STYLE } from '../generated/page.ts'

/** Nothing but this script and this style, and no network at all (CSP level 3). */
const POLICY = [
  "default-src 'none'",
  `script-src '${digestOf(PAGE_SCRIPT)}'`,
  `style-src '${digestOf(PAGE_STYLE)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const BODY = `<header>
<h1 id="title"></h1>
<p id="summary"></p>
<form role="search">
<input id="search" type="search" placeholder="Search names, sets, objects, labels ( / )" aria-label="Search" autocomplete="off" spellcheck="false">
<select id="op" aria-label="Change"><option value="">every change</option></select>
<select id="label" aria-label="Label"><option value="">every label</option></select>
<button id="graph-button" type="button" aria-controls="graph" aria-expanded="false">Graph</button>
<span id="count" role="status"></span>
</form>
<ul id="findings" hidden></ul>
</header>
<div id="graph" role="img" aria-label="What comes from what" hidden></div>
<main>
<div id="list" role="listbox" tabindex="0" aria-label="Variants"></div>
<section id="details" aria-live="polite"><p>Choose a variant to see its change and where each value comes from.</p></section>
</main>
<footer><kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>k</kbd> <kbd>j</kbd> choose, <kbd>g</kbd> graph, <kbd>Esc</kbd> everything</footer>
`

/**
 * Returns one HTML file without references to others. The data is text that no browser reads as HTML and no reader sees reordered, whatever
 * users wrote.
 */
export function pageHtml(data: PageData): string {
  const shown = (_: string, value: unknown) => (typeof value === 'string' ? printable(value) : value)
  const json = JSON.stringify(data, shown).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>krm-variants</title>
<style id="__________cytoscape_stylesheet">${PAGE_STYLE}</style>
</head>
<body>
${BODY}<script type="application/json" id="data">${json}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`
}
