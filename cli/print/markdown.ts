import { printable, printableText } from '../../src/printable.ts'

/** Returns a code span: one line, in which GitHub reads neither mentions nor Markdown. */
export function code(text: string): string {
  const line = printable(text) || ' '
  const fence = '`'.repeat(longestFence(line) + 1)
  return fence.length === 1 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** Returns a block of whole lines in a language, such as `diff`. */
export function fencedBlock(language: string, text: string): string {
  const lines = printableText(text)
  const fence = '`'.repeat(Math.max(3, longestFence(lines) + 1))
  return `${fence}${language}\n${lines}${fence}\n`
}

/** Returns the longest run of back-quotes in a text. A fence must be longer. */
function longestFence(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}

/**
 * Returns a text as Markdown that shows the same text: no heading, link, image, HTML or mention. A word that GitHub would render as more
 * than text becomes a code span, since a mention has no escape.
 */
export function escapeText(text: string): string {
  return printable(text)
    .split(' ')
    .map((word) => (isRead(word) ? code(word) : word.replaceAll(/[\\`*_[\]<>|]/g, '\\$&')))
    .join(' ')
}

/** A revision such as `catalog/upf@3`, which is neither mention nor commit: a letter or digit precedes the `@`, and at most six follow. */
const REVISION = /(?<=[\p{L}\p{N}])@\w{1,6}(?![\w.-])/gu

/**
 * Texts that GitHub renders as more than text (GitHub Flavored Markdown, autolinked references): `@user`, `a@b.c`, `#1`, `org/repo#1`,
 * `GH-1`, commits, addresses, `&copy;`, `~~gone~~`, `$math$`, `:emoji:`.
 */
const READ = /[@#&~$]|:\/\/|www\.|(?<![a-z0-9])(?:gh-\d|[0-9a-f]{7})|:[\w+-]+:/i

function isRead(word: string): boolean {
  return READ.test(word.replaceAll(REVISION, ' '))
}
