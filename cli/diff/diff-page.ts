import type { DiffPageData } from '../../page/diff/diff-data.ts'
import type { DiffReport } from '../../src/diff/report.ts'
import { formatResult } from '../../src/result.ts'
import { DIFF_PAGE_SCRIPT, DIFF_PAGE_STYLE } from '../generated/page.ts'
import { pageHtml } from '../graph/page-html.ts'
import { summarizeDiff, summarizeRings } from './diff-wording.ts'

const BODY = `<header>
<h1 id="title"></h1>
<p id="summary"></p>
<ul id="dangers" aria-label="Dangers"></ul>
<form role="search">
<input id="search" type="search" placeholder="Search objects, fields, values, causes, clusters ( / )" aria-label="Search" autocomplete="off" spellcheck="false">
<select id="cluster" aria-label="Cluster"><option value="">every cluster</option></select>
<select id="set" aria-label="Set"><option value="">every set</option></select>
<select id="ring" aria-label="Ring"><option value="">every ring</option></select>
<select id="kind" aria-label="Kind"><option value="">every kind</option></select>
<select id="danger" aria-label="Danger"><option value="">danger or not</option></select>
<select id="cause" aria-label="Cause"><option value="">every cause</option></select>
<span id="count" role="status"></span>
</form>
<ul id="findings" hidden></ul>
</header>
<main>
<div id="list" role="listbox" tabindex="0" aria-label="Ways in which objects change"></div>
<section id="places" aria-label="Packages"><h2 id="cluster-count"></h2><div id="clusters" role="listbox" tabindex="0" aria-label="Packages of the chosen way"></div></section>
<section id="details" aria-live="polite"></section>
</main>
<div id="print"></div>
<footer><kbd>/</kbd> search, <kbd>↑</kbd> <kbd>↓</kbd> or <kbd>k</kbd> <kbd>j</kbd> choose, <kbd>n</kbd> <kbd>p</kbd> package, <kbd>Esc</kbd> everything</footer>
`

/** Returns a report as a page for reviews. */
export function diffPage(report: DiffReport): string {
  const { from, to, results } = report
  const data: DiffPageData = {
    title: `Diff ${from.name} → ${to.name}`,
    summary: [summarizeDiff(report), ...summarizeRings(report)].join('. '),
    findings: results.map(formatResult),
    report: { ...report, results: [] },
  }
  return pageHtml({ data, body: BODY, script: DIFF_PAGE_SCRIPT, style: DIFF_PAGE_STYLE })
}
