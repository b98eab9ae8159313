import { quoteText } from '../../schema/describe-value.ts'
import { TemplateFault } from './template-functions.ts'

/** A part of a Go template: text, the words of an action, or a block up to its `end`. */
export type TemplatePart = { readonly text: string } | { readonly action: readonly string[] } | TemplateBlock

export interface TemplateBlock {
  readonly block: Keyword
  /** The branches in their order; the one of `else` has no condition. */
  readonly branches: readonly { readonly condition?: readonly string[]; readonly parts: readonly TemplatePart[] }[]
}

type Keyword = 'if' | 'with' | 'range'
type Flat = Exclude<TemplatePart, TemplateBlock>

/** Divides a Go template. @throws TemplateFault for what is none, and for what convert cannot follow */
export function templateParts(text: string): readonly TemplatePart[] {
  const flat = flatParts(text)
  const { parts, at } = partsFrom(flat, 0)
  const rest = flat[at]
  if (rest !== undefined && 'action' in rest)
    throw new TemplateFault(`must be a Go template, got {{${rest.action.join(' ')}}} without an if`)
  return parts
}

/** Returns the parts up to an `else` or `end`, or to the end of the template, and the place of that. */
function partsFrom(flat: readonly Flat[], from: number): { readonly parts: readonly TemplatePart[]; readonly at: number } {
  const parts: TemplatePart[] = []
  let at = from
  for (let part = flat[at]; part !== undefined && !isBranchEnd(part); part = flat[at]) {
    const keyword = 'action' in part ? part.action[0] : undefined
    if (isKeyword(keyword)) {
      const made = blockFrom(flat, at, keyword)
      parts.push(made.block)
      at = made.at
    } else {
      parts.push(part)
      at += 1
    }
  }
  return { parts, at }
}

/** Returns the block that begins at a place, and the place behind its `end`. */
function blockFrom(flat: readonly Flat[], from: number, keyword: Keyword): { readonly block: TemplateBlock; readonly at: number } {
  const branches: TemplateBlock['branches'][number][] = []
  let condition: readonly string[] | undefined = wordsAt(flat, from).slice(1)
  for (let at = from; ; ) {
    const inner = partsFrom(flat, at + 1)
    branches.push({ ...(condition && { condition }), parts: inner.parts })
    if (flat[inner.at] === undefined) throw new TemplateFault(`must be a Go template, got ${articleOf(keyword)} ${keyword} without an end`)
    const [word, more, ...others] = wordsAt(flat, inner.at)
    if (word === 'end') return { block: { block: keyword, branches }, at: inner.at + 1 }
    if (more !== undefined && (more !== keyword || more === 'range'))
      throw new TemplateFault(`must be a Go template, got {{else ${more}}} in ${articleOf(keyword)} ${keyword}`)
    condition = more === undefined ? undefined : others
    at = inner.at
  }
}

function articleOf(keyword: Keyword): string {
  return keyword === 'if' ? 'an' : 'a'
}

function wordsAt(flat: readonly Flat[], at: number): readonly string[] {
  const part = flat[at]
  return part !== undefined && 'action' in part ? part.action : []
}

function isBranchEnd(part: Flat): boolean {
  return 'action' in part && (part.action[0] === 'else' || part.action[0] === 'end')
}

function isKeyword(word: string | undefined): word is Keyword {
  return word === 'if' || word === 'with' || word === 'range'
}

/** Divides a template into texts and actions, with the white space that `{{-` and `-}}` take away. */
function flatParts(text: string): readonly Flat[] {
  const parts: Flat[] = []
  let rest = text
  let isTrimmed = false
  for (;;) {
    const found = /\{\{(-\s)?(\s*\/\*[\s\S]*?\*\/\s*|(?:"(?:[^"\\]|\\.)*"|`[^`]*`|[^"`])*?)(\s-)?\}\}/.exec(rest)
    const before = isTrimmed ? rest.slice(0, found?.index).trimStart() : rest.slice(0, found?.index)
    if (found === null) {
      if (before.includes('{{')) throw new TemplateFault('must be a Go template, got {{ without }}')
      return [...parts, { text: before }]
    }
    parts.push({ text: found[1] === undefined ? before : before.trimEnd() })
    const action = (found[2] ?? '').trim()
    if (!/^\/\*[\s\S]*\*\/$/.test(action)) parts.push({ action: wordsOf(action) })
    isTrimmed = found[3] !== undefined
    rest = rest.slice(found.index + found[0].length)
  }
}

const FIELDS = '(?:\\.[A-Za-z_]\\w*)'
const WORD = new RegExp(
  [
    '\\s+',
    '"(?:[^"\\\\]|\\\\.)*"',
    '`[^`]*`',
    '-?\\d+(?:\\.\\d+)?(?![\\w.])',
    `\\$\\w*${FIELDS}*`,
    `${FIELDS}+`,
    '\\.',
    '[A-Za-z_]\\w*',
    `\\)${FIELDS}*`,
    ':=|[=,(|]',
  ].join('|'),
  'y',
)

function wordsOf(action: string): readonly string[] {
  const words: string[] = []
  const [keyword = ''] = /^(?:define|template|block|break|continue)\b/.exec(action) ?? []
  if (keyword !== '') throw new TemplateFault(`must not use '${keyword}' in {{…}}: convert cannot follow it`)
  WORD.lastIndex = 0
  while (WORD.lastIndex < action.length) {
    const from = WORD.lastIndex
    const word = WORD.exec(action)?.[0]
    if (word === undefined)
      throw new TemplateFault(`must not use ${quoteText(action.slice(from, from + 12))} in {{…}}: convert cannot follow it`)
    if (word.trim() !== '') words.push(word)
  }
  if (words.length === 0) throw new TemplateFault('must be a Go template, got {{}}')
  return words
}
