import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ROOT } from '../ready.mjs'

const INCLUDE = /^<!-- include (.+) -->$/gm

/** A link or a picture of Markdown: what is before its target, and the target. */
const LINK = /(\[(?:[^[\]]|\[[^\]]*\])*\]\()([^)\s]+)(?=\))/g

/** The files of docs that the site shows as pictures; `npm run docs` copies them to the root of the site. */
export const PICTURE = /^docs\/[^/]+\.png$/

/**
 * The text of a page of the site: that of a file of the repository, with what it includes, and with links that hold on the site. A picture
 * of docs is at the root of the site; a link to what is no page goes to the repository.
 *
 * @param file   from the root of the repository
 * @param pages  the path of each page on the site, by its file
 * @throws when a link or an include names what is not there
 */
export function pageText(file, pages) {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const moved = outsideOfBlocks(text, (part) => part.replace(LINK, (_, before, target) => before + moveLink(file, target, pages)))
  return moved.replace(INCLUDE, (_, what) => included(what, pages))
}

/** Commands of blocks are no links. */
function outsideOfBlocks(text, change) {
  return text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}

function moveLink(file, target, pages) {
  if (/^(https?:|#|\/)/.test(target)) return target
  const [path, anchor] = target.split('#')
  const wanted = posix.join(posix.dirname(file), path)
  const suffix = anchor === undefined ? '' : `#${anchor}`
  if (pages.has(wanted)) return `/${pages.get(wanted)}.md${suffix}`
  if (!existsSync(join(ROOT, wanted))) throw new Error(`${file}: the link '${target}' names what is not there`)
  if (PICTURE.test(wanted)) return `/${posix.basename(wanted)}${suffix}`
  return `${REPOSITORY}/${statSync(join(ROOT, wanted)).isDirectory() ? 'tree' : 'blob'}/main/${wanted}${suffix}`
}

const REPOSITORY = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).repository.url.replace(/^git\+|\.git$/g, '')

/** `FILE#SECTION`, the text of a section, or a command of the tool with what it prints. */
function included(what, pages) {
  const [, file, section] = what.match(/^(\S+\.md)#(.+)$/) ?? []
  if (file !== undefined) return sectionOf(pageText(file, pages), section, what)
  const [, ...args] = what.split(' ')
  const { stdout, status } = spawnSync(process.execPath, ['dist/krm-variants.mjs', ...args], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the include '${what}' fails`)
  return `\`\`\`console\n$ ${what}\n${stdout}\`\`\``
}

function sectionOf(text, title, what) {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${title}\n`))
  if (section === undefined) throw new Error(`the include '${what}' names no section`)
  return section.slice(title.length).trim()
}
