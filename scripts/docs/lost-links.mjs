import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * The links within a folder of pages whose page or anchor is not there, as `PAGE: LINK`. The generator of the site looks for pages, not for
 * anchors.
 */
export function lostLinks(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.html'))
  const pages = new Map(files.map((file) => [`/${file}`, readPage(join(folder, file))]))
  return [...pages].flatMap(([path, { links }]) => links.filter((link) => !leads(link, path, pages)).map((link) => `${path}: ${link}`))
}

function readPage(file) {
  const html = readFileSync(file, 'utf8')
  const all = (pattern) => [...html.matchAll(pattern)].map(([, text]) => text.replaceAll('&amp;', '&'))
  return { links: all(/<a [^>]*href="(?!https?:)([^"]*)"/g), ids: new Set(all(/ id="([^"]*)"/g)) }
}

function leads(link, from, pages) {
  const [path, anchor] = link.split('#').map(decodeURIComponent)
  const target = path === '' ? from : posix.resolve(posix.dirname(from), path)
  const page = pages.get(target) ?? pages.get(posix.join(target, 'index.html'))
  return page !== undefined && (anchor === undefined || anchor === '' || page.ids.has(anchor))
}
