import { isUtf8 } from 'node:buffer'
import { formatPatch, OMIT_HEADERS, type StructuredPatchHunk, structuredPatch } from 'diff'
import type { FileChange } from '../../src/folder/file-changes.ts'
import { maskedText } from '../../src/folder/masked-text.ts'
import { printable, printableText } from '../../src/printable.ts'
import type { Style, Styles } from './styles.ts'

/** The differences of a file by lines. */
export interface FileDiff {
  readonly added: number
  readonly removed: number
  /** As `diff -u` prints them, without the lines that name the files. */
  readonly hunks: string
}

const CONTEXT = 3
/** Texts with more differing lines are shown as one replaced by the other: the shortest edit script takes too long to find. */
const MOST_EDITS = 5000

/** Compares two versions of a file, an empty one for none, without the values of Secrets; undefined when one of them is no text. */
export function diffFiles(before: Uint8Array, after: Uint8Array): FileDiff | undefined {
  if (!isText(before) || !isText(after)) return undefined
  const [text, present] = [textOf(before), textOf(after)]
  const [old, now] = [maskedText(text), maskedText(present, text)]
  const hunks = structuredPatch('', '', old, now, '', '', { context: CONTEXT, maxEditLength: MOST_EDITS })?.hunks ?? replaced(old, now)
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    // Of no hunk, an empty line would be left, which is no line of a patch.
    hunks: hunks.length === 0 ? '' : formatPatch({ oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', hunks }, OMIT_HEADERS),
  }
}

function replaced(before: string, after: string): StructuredPatchHunk[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }]
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n')
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/**
 * Returns a change of a file as a unified diff, with the names of the file before and after.
 *
 * @param name  the file, as the caller sees it
 */
export function unifiedChange({ op, text, before = '' }: FileChange, name: string): string {
  const hunks = diffFiles(Buffer.from(before), Buffer.from(text))?.hunks ?? ''
  const shown = printable(name)
  return `--- ${op === 'create' ? '/dev/null' : `a/${shown}`}\n+++ ${op === 'delete' ? '/dev/null' : `b/${shown}`}\n${hunks}`
}

/** Returns a unified diff with its added lines, removed lines and heads of hunks in their styles. */
export function styleDiff(diff: string, { added, removed, faint }: Styles): string {
  const styles: Readonly<Record<string, Style>> = { '+': added, '-': removed, '@': faint }
  const lines = printableText(diff).replace(/\n$/, '').split('\n')
  return lines.map((line) => `${(styles[line.charAt(0)] ?? String)(line)}\n`).join('')
}
