/**
 * The table of contents: docs/README.md, whose lists are the pages of the site in their order.
 *
 * @param text  docs/README.md
 * @returns sections with a title and pages; a page has a title, its file (from the root of the repository) and its path on the site
 */
export function readContents(text) {
  const [, ...sections] = text.split(/^## /m)
  return sections.map((section) => ({
    title: section.split('\n')[0],
    pages: [...section.matchAll(/^\* \[(.+?)\]\((.+?)\)/gm)].map(pageOf),
  }))
}

/** `../functions/fan-out/README.md` is the page `functions/fan-out`, `commands/plan.md` the page `commands/plan`. */
function pageOf([, title, link]) {
  const file = link.startsWith('../') ? link.slice('../'.length) : `docs/${link}`
  return { title, file, path: file.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '') }
}
