import type { PageData } from '../../page/fleet/page-data.ts'
import { FLEET_PAGE_SCRIPT, FLEET_PAGE_STYLE } from '../generated/page.ts'
import { pageHtml } from './page-html.ts'

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

/** Returns the page of a fleet: its variants, their changes and the graph. */
export function fleetPage(data: PageData): string {
  return pageHtml({ data, body: BODY, script: FLEET_PAGE_SCRIPT, style: FLEET_PAGE_STYLE })
}
