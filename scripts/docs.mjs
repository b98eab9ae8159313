// `npm run docs`: the documentation as a site of static pages, in site/html. A link that leads nowhere ends it.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'vitepress'
import { readContents } from './docs/contents.mjs'
import { lostLinks } from './docs/lost-links.mjs'
import { PICTURE, pageText } from './docs/page-text.mjs'
import { buildIfNeeded, ROOT, say } from './ready.mjs'

const PAGES = join(ROOT, 'site/pages')
const HTML = join(ROOT, 'site/html')

/** Puts the pages where the generator reads them, each at its path on the site. */
function writePages() {
  const listed = readContents(readFileSync(join(ROOT, 'docs/README.md'), 'utf8')).flatMap(({ pages }) => pages)
  const home = { file: 'docs/.vitepress/home.md', path: 'index' }
  const paths = new Map(listed.map(({ file, path }) => [file, path]))
  rmSync(PAGES, { recursive: true, force: true })
  for (const { file, path } of [home, ...listed]) write(join(PAGES, `${path}.md`), pageText(file, paths))
  const pictures = readdirSync(join(ROOT, 'docs'))
    .map((name) => `docs/${name}`)
    .filter((file) => PICTURE.test(file))
  for (const picture of [...pictures, 'docs/.vitepress/mark.svg']) cpSync(join(ROOT, picture), join(PAGES, 'public', basename(picture)))
  return listed.length + 1
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

buildIfNeeded()
const count = writePages()
await build(join(ROOT, 'docs'))
const lost = lostLinks(HTML)
for (const link of lost) say(`leads nowhere: ${link}`)
if (lost.length === 0) say(`site/html: ${count} pages, every link leads somewhere`)
else process.exitCode = 1
